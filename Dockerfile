# movelo with Stockfish in it, for compose.yaml, Kubernetes, or by hand:
#   docker build -t movelo . && docker run -p 8008:8008 -v movelo:/data movelo
FROM python:3.12-slim-bookworm AS build
WORKDIR /source
# What is in the image is what was written down, byte by byte (config/SUPPLY.md).
COPY requirements.lock ./
RUN python -m venv /opt/movelo \
 && /opt/movelo/bin/pip install --no-cache-dir --require-hashes --requirement requirements.lock
COPY pyproject.toml README.md LICENSE CHANGELOG.md ./
COPY config ./config
COPY engines ./engines
COPY pipeline ./pipeline
COPY reports ./reports
RUN /opt/movelo/bin/pip install --no-cache-dir --no-deps .

FROM python:3.12-slim-bookworm
RUN apt-get update \
 && apt-get install --no-install-recommends --yes stockfish \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --user-group --home-dir /data --create-home movelo
COPY --from=build /opt/movelo /opt/movelo
# Debian keeps games out of everybody's way.
ENV PATH="/opt/movelo/bin:/usr/games:$PATH" \
    MOVELO_DATA=/data \
    MOVELO_CONFIG=/data/movelo.toml \
    STOCKFISH_PATH=/usr/games/stockfish \
    PYTHONUNBUFFERED=1
USER movelo
WORKDIR /data
VOLUME /data
EXPOSE 8008
# Whether the page answers; what serves no page (a scheduler, a worker) turns it off.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8008/healthz', timeout=4)"]
ENTRYPOINT ["movelo"]
CMD ["serve", "--host", "0.0.0.0"]
