# docker build -t irgauge .
# docker run --rm --user "$(id -u):$(id -g)" -v irgauge-cache:/cache -v "$PWD:/data" irgauge score qrels.txt runs/ -m AP
# the volume keeps compiled code, which is run: it is for one user
FROM python:3.13-slim
COPY LICENSE README.md pyproject.toml /irgauge/
COPY src /irgauge/src
RUN pip install --no-cache-dir "/irgauge[cluster,lab]" && rm -r /irgauge && mkdir /data && mkdir -m 1777 /cache
ENV NUMBA_CACHE_DIR=/cache
USER nobody
WORKDIR /data
ENTRYPOINT ["irgauge"]
