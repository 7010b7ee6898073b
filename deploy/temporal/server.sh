#!/bin/sh
# The server reads its password only from the environment. This script sets the variable, so that the password appears neither
# in docker-compose.yml nor in `docker inspect`.
set -eu

POSTGRES_PWD=$(cat "${SECRETS_FOLDER:-/run/secrets}/temporal-database-password")
export POSTGRES_PWD

exec temporal-server start
