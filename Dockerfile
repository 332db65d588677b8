# The service and its production packages, without compiler, tests and development packages.
# docs/production.md says how to run it; test/image-layout.long.test.ts carries out these steps without Docker.
ARG NODE_IMAGE=node:20-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
# Before the sources, so that a change of code does not install the packages again.
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run --silent build && npm prune --omit=dev --no-audit --no-fund

FROM ${NODE_IMAGE}
WORKDIR /app
# Owned by root: the service cannot change its own code.
COPY --from=build /app/LICENSE ./
COPY --from=build /app/NOTICE ./
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/migrations ./migrations
COPY --from=build /app/demo ./demo
COPY --from=build /app/fonts ./fonts
COPY --from=build /app/dist ./dist
COPY --from=build /app/bin ./bin
RUN install -d -o node -g node -m 0700 /data && ln -s /app/bin/svc /usr/local/bin/svc
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
USER node
# Only the embedded database writes here. With DATABASE_URL set nothing is written at all: run it with --read-only.
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
# Not through npm: it would not pass SIGTERM on.
CMD ["node", "bin/svc", "serve"]
# The commit: docker build --build-arg REVISION="$(git rev-parse HEAD)" .
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Event platform" \
  org.opencontainers.image.version="5.0.0" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.revision="${REVISION}"
