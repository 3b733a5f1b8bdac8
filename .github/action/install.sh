#!/usr/bin/env bash
# Installs irgauge as it stands beside this file, with the versions of requirements/image.txt, in an environment of its
# own; PYTHON is the interpreter. Writes the environment's interpreter to the step's outputs.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
venv=$RUNNER_TEMP/irgauge-environment
"$PYTHON" -I -m venv "$venv"
python=$venv/bin/python
if [ ! -x "$python" ]; then python=$venv/Scripts/python.exe; fi
"$python" -I -m pip install --quiet --require-hashes --only-binary :all: --requirement "$root/requirements/image.txt"
"$python" -I -m pip install --quiet --no-deps --no-build-isolation "$root"
echo "python=$python" >> "$GITHUB_OUTPUT"
