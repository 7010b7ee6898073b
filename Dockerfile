# One target per process; docker-compose.yml uses these targets. The build stage compiles in the same way as `npm run build`.
# Each image receives only the files and packages that its program can reach (deploy/images/gather.mjs).
FROM node:24.19.0-trixie AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY boundaries.cjs ./
COPY scripts scripts
RUN ["node", "scripts/install.mjs", "--omit=dev"]
COPY domain domain
COPY policy policy
COPY platform platform
COPY entities entities
COPY chains chains
COPY vendors vendors
COPY signer signer
COPY application application
COPY activities activities
COPY workflows workflows
COPY api api
COPY worker worker
COPY operator operator
COPY local local
COPY LICENSE openapi.json ./
RUN ["node", "scripts/build.mjs"]
RUN ["node", "scripts/native.mjs"]
COPY deploy/images deploy/images
RUN ["node", "deploy/images/gather.mjs", "/images/signer", "dist/signer/main.js", "dist/signer/replica/main.js", "dist/signer/native/strongroom.node"]
RUN ["node", "deploy/images/gather.mjs", "/images/worker", "dist/worker/main.js", "dist/workflow-bundle.js"]
RUN ["node", "deploy/images/gather.mjs", "/images/api", "dist/api/main.js", "dist/operator/main.js", "openapi.json"]
RUN ["node", "deploy/images/gather.mjs", "/images/migrate", "dist/operator/upgrade.js"]
RUN ["node", "deploy/images/gather.mjs", "/images/trial", "dist/local/chain.js", "dist/local/first-run.js"]

# Every user may write to these four folders, so that a container may run as any user. Volumes are mounted on the folders.
# Inside them, each process keeps its data in a folder of its own with mode 0700.
FROM node:24.19.0-trixie-slim AS base
RUN ["rm", "-rf", "/opt", "/usr/local/lib/node_modules", "/usr/local/bin/npm", "/usr/local/bin/npx", "/usr/local/bin/yarn", "/usr/local/bin/yarnpkg"]
RUN ["install", "-d", "-m", "1777", "/run/strongroom", "/run/replica", "/var/lib/strongroom", "/backups"]
ENV NODE_ENV=production
WORKDIR /app
USER 10001:10001
ENTRYPOINT ["node"]

FROM base AS signer
COPY --from=build /images/signer /app
USER 10001:10001
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD ["node", "health.mjs", "/run/strongroom/signer/socket"]
CMD ["--jitless", "--no-expose-wasm", "--disable-proto=delete", "--disallow-code-generation-from-strings", "dist/signer/main.js"]

FROM base AS worker
COPY --from=build /images/worker /app
ENV WORKFLOW_BUNDLE=/app/dist/workflow-bundle.js
USER 10001:10001
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "health.mjs", "http://127.0.0.1:8235/health/ready"]
CMD ["dist/worker/main.js"]

FROM base AS api
COPY --from=build /images/api /app
USER 10001:10001
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "health.mjs", "http://127.0.0.1:3000/health/ready"]
CMD ["dist/api/main.js"]

FROM base AS migrate
COPY --from=build /images/migrate /app
USER 10001:10001
HEALTHCHECK NONE
CMD ["dist/operator/upgrade.js"]

# For local trials only: a chain whose coins are worth nothing, and the job that creates the users of the trial.
FROM base AS trial
COPY --from=build /images/trial /app
COPY --from=build /build/node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil /usr/local/bin/anvil
ENV ANVIL_PATH=/usr/local/bin/anvil
USER 10001:10001
EXPOSE 8545
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD ["node", "health.mjs", "127.0.0.1:8545"]
CMD ["dist/local/chain.js"]
