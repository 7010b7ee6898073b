#!/bin/sh
# The server reads its password only from the environment; set here, it appears in no compose file and no `docker inspect`.
set -eu

POSTGRES_PWD=$(cat "${SECRETS_FOLDER:-/run/secrets}/temporal-database-password")
export POSTGRES_PWD

exec temporal-server start
