# docker build -t irgauge .
# docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/data" irgauge score qrels.txt runs/ -m AP
FROM python:3.13-slim
COPY LICENSE README.md pyproject.toml /irgauge/
COPY src /irgauge/src
RUN pip install --no-cache-dir "/irgauge[cluster,lab]" && rm -r /irgauge && mkdir /data
USER nobody
WORKDIR /data
ENTRYPOINT ["irgauge"]
