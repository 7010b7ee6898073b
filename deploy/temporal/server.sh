#!/bin/sh
# The server takes its password from the environment alone; read here, it stands in no compose file and no `docker inspect`.
set -eu

POSTGRES_PWD=$(cat "${SECRETS_FOLDER:-/run/secrets}/temporal-database-password")
export POSTGRES_PWD

exec temporal-server start
