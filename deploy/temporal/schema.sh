#!/bin/sh
# Upgrades both databases of Temporal to the schema of this version. The tool does not change an up-to-date schema, so this
# script runs before every start of the server, not only before an upgrade.
set -eu

SQL_PASSWORD=$(cat "${SECRETS_FOLDER:-/run/secrets}/temporal-database-password")
export SQL_PASSWORD

for part in temporal visibility; do
  database=temporal
  [ "$part" = visibility ] && database=temporal_visibility
  tool="temporal-sql-tool --plugin postgres12 --endpoint $POSTGRES_HOST --port $POSTGRES_PORT --user temporal --database $database"
  $tool setup-schema --version 0.0
  $tool update-schema --schema-name "postgresql/v12/$part"
done
