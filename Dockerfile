# syntax=docker/dockerfile:1
FROM node:26-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No install scripts: the image needs none, and the private Postgres is for development.
RUN npm ci --ignore-scripts
COPY . .
RUN npm run bundle

FROM node:26-bookworm-slim
# Each thread would otherwise keep memory of its own that it has freed: 10 to 15 MB in all (mallopt(3)).
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8787 MALLOC_ARENA_MAX=2
WORKDIR /app
# The bundle contains its packages, and their licences.
COPY --from=build /app/dist dist
COPY package.json ./
USER node
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# The same heap setting as `npm start`. In 512 MB, V8 would hold the halves of the young generation at
# 4 MB each, whatever --min-semi-space-size says. With 8 MB an event costs 11 % less processor time
# (means of four rounds: 348 instead of 393 ms for 1,000 events) in the same memory; 16 MB saves 3 %
# more for 16 MB more of it.
CMD ["node", "--enable-source-maps", "--max-semi-space-size=8", "dist/main.js"]
