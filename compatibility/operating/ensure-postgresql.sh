#!/usr/bin/env bash
# Installs Debian's PostgreSQL if it is missing: the operating guides use psql, pg_dump, pg_basebackup and
# pg_receivewal, which the embedded PostgreSQL lacks.
set -euo pipefail

compgen -G '/usr/lib/postgresql/*/bin/pg_basebackup' >/dev/null && command -v psql >/dev/null && exit
echo 'Installing PostgreSQL for the tests of the operating guides …' >&2
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends postgresql >/dev/null
