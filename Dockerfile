# docker build -t irgauge .
# mkdir -p ~/.cache/irgauge
# docker run --rm --user "$(id -u):$(id -g)" -v ~/.cache/irgauge:/cache -v "$PWD:/data" irgauge score qrels.txt runs/ -m AP
# the folder keeps compiled code, which is run: it is used only if it is the user's own
FROM python:3.13-slim@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b
COPY LICENSE README.md pyproject.toml requirements/image.txt /irgauge/
COPY src /irgauge/src
RUN pip install --no-cache-dir --require-hashes --only-binary :all: -r /irgauge/image.txt \
    && pip install --no-cache-dir --no-deps --no-build-isolation /irgauge && rm -r /irgauge && mkdir /data
ENV NUMBA_CACHE_DIR=/cache
USER nobody
WORKDIR /data
ENTRYPOINT ["irgauge"]
