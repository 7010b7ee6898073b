#!/bin/sh
# Creates the namespace with its retention and search attributes, or updates an existing namespace. The command `temporal` reads
# TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE by itself.
set -eu

attempts=60
until temporal operator cluster health > /dev/null 2>&1; do
  attempts=$((attempts - 1))
  if [ "$attempts" -eq 0 ]; then
    temporal operator cluster health
    exit 1
  fi
  sleep 1
done

if temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" > /dev/null 2>&1; then
  temporal operator namespace update --namespace "$TEMPORAL_NAMESPACE" --retention "$TEMPORAL_RETENTION"
else
  temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention "$TEMPORAL_RETENTION" \
    --description 'Transfers of Strongroom'
fi

# The command is repeated, because a part of the server recognises a new namespace only after it has reloaded its cache.
attempts=60
until temporal operator search-attribute create --name OrgId --type Keyword --name WalletId --type Keyword --name Network --type Keyword \
  --name Stage --type Keyword --name ApprovalGroup --type KeywordList --name Deadline --type Datetime; do
  attempts=$((attempts - 1))
  [ "$attempts" -gt 0 ] || exit 1
  sleep 1
done
