#!/bin/bash
# Runs once, on an empty data folder. It creates four roles and one database for Strongroom, and one role and two databases for
# Temporal. Strongroom's roles cannot connect to Temporal's databases, and Temporal's role cannot connect to Strongroom's
# database. Passwords are passed in psql's environment, because other processes can read an argument.
set -euo pipefail

password_in() { # prints the password of the postgres:// address in a file
  local address
  address=$(< "$1")
  address=${address#*://*:}
  printf '%s' "${address%%@*}"
}

secrets=${SECRETS_FOLDER:-/run/secrets}
OWNER_PASSWORD=$(password_in "$secrets/database-owner-url")
APP_PASSWORD=$(password_in "$secrets/database-app-url")
WORKER_PASSWORD=$(password_in "$secrets/database-worker-url")
RELAY_PASSWORD=$(password_in "$secrets/database-relay-url")
TEMPORAL_PASSWORD=$(< "$secrets/temporal-database-password")
export OWNER_PASSWORD APP_PASSWORD WORKER_PASSWORD RELAY_PASSWORD TEMPORAL_PASSWORD

psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres <<'SQL'
\getenv owner_password OWNER_PASSWORD
\getenv app_password APP_PASSWORD
\getenv worker_password WORKER_PASSWORD
\getenv relay_password RELAY_PASSWORD
\getenv temporal_password TEMPORAL_PASSWORD

CREATE ROLE strongroom_owner LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD :'owner_password';
CREATE ROLE strongroom_app   LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD :'app_password';
CREATE ROLE strongroom_worker LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD :'worker_password';
CREATE ROLE strongroom_relay LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD :'relay_password';
CREATE ROLE temporal         LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD :'temporal_password';

CREATE DATABASE strongroom OWNER strongroom_owner;
CREATE DATABASE temporal OWNER temporal;
CREATE DATABASE temporal_visibility OWNER temporal;
REVOKE ALL ON DATABASE strongroom, temporal, temporal_visibility FROM PUBLIC;
GRANT CONNECT ON DATABASE strongroom TO strongroom_app, strongroom_worker, strongroom_relay;
SQL
