# syntax=docker/dockerfile:1
FROM node:26.10.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No install scripts: the image needs none, and the private Postgres is for development.
RUN npm ci --ignore-scripts
COPY . .
RUN npm run bundle
# The packed extension, which the service offers at /extension.
RUN npm run zip
# The package of the commands.
RUN npm run pack && mkdir packed && tar -xzf aisle-*.tgz -C packed --strip-components=1

# The commands alone: docker build --target cli -t aisle-cli . && docker run --rm aisle-cli audit shop.example
FROM node:26.10.0-bookworm-slim AS cli
COPY --from=build /app/packed /opt/aisle
WORKDIR /home/node
USER node
ENTRYPOINT ["node", "/opt/aisle/dist/cli.js"]
CMD ["--help"]

FROM node:26.10.0-bookworm-slim AS service
# Each thread would otherwise keep memory of its own that it has freed: 10 to 15 MB in all. What is
# larger than a threshold goes back to the system when it is freed; the thresholds would otherwise
# grow with what was freed, and six audits of hostile stores kept 15 to 30 MB more (mallopt(3)).
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8787
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072
WORKDIR /app
# The bundle contains its packages, and their licences.
COPY --from=build /app/dist dist
# The commands: docker compose exec aisle aisle --help
RUN ln -s /app/dist/cli.js /usr/local/bin/aisle
USER node
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# The same heap setting as `npm start`: with 8, collecting took a sixth of the thread where hundreds of
# events wait, and takes a tenth with 32, for some 35 MiB more. Workers that judge have 2
# (server/audit/judging/judges.ts).
CMD ["node", "--enable-source-maps", "--max-semi-space-size=32", "dist/main.js"]

# The service with a browser, for walks through pages: docker build --target browser -t aisle-browser .
# Its sandbox needs user namespaces: see docs/operator/deploy.md.
FROM service AS browser
USER root
RUN apt-get update \
  && apt-get install --yes --no-install-recommends chromium fonts-liberation \
  && rm -rf /var/lib/apt/lists/*
USER node

# The service, unless another target is named.
FROM service
