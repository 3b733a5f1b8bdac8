#!/bin/sh
# Installs Chromium from the packages of the system, for the tests of the report in a browser. Without it they are skipped.
for name in chromium chromium-browser google-chrome google-chrome-stable; do
  if command -v "$name" >/dev/null; then exit 0; fi
done
give_up() { echo "The tests of the report in a browser will be skipped: $1." >&2; exit 0; }
command -v apt-get >/dev/null || give_up "there is no Chromium, and no apt-get to install it"
[ "$(id -u)" = 0 ] || give_up "there is no Chromium, and only root may install it (apt-get install chromium)"
install() { DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium >/dev/null; }
install || { apt-get update >/dev/null && install; } || give_up "apt-get could not install Chromium"
