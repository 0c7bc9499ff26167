# Sets up what the operating guides need: a database, one process, the provider sandbox, an operator and a
# merchant.
#
#   . compatibility/operating/install.sh <URL of a PostgreSQL's superuser> <port of the service>
#
# Source this script in bash in a clone of the repository. The shell then has the settings and functions
# below. The guide docs/guides/scaling.md does the same step by step. The sandbox listens on the port above
# the service's port.

server_url=$1
port=$2
base_url=http://127.0.0.1:$port
sandbox_url=http://127.0.0.1:$((port + 1))
umask 077

export DATABASE_URL=${server_url%/*}/gapura
export GAPURA_MIGRATE_DATABASE_URL=${DATABASE_URL/postgres@/gapura_owner@}
DATABASE_URL=${DATABASE_URL/postgres@/gapura@}
export GAPURA_MASTER_KEY=$(openssl rand -base64 32)
export GAPURA_PUBLIC_URL=$base_url

# The function start stores the process ID in $service, and stop ends that process.
start() {
  PORT=$port ./gapura-server start >>service.log 2>&1 &
  service=$!
  until curl -sf -o /dev/null "$base_url/readyz"; do
    kill -0 $service 2>/dev/null || { tail -n 1 service.log; return 1; }
    sleep 0.1
  done
}
stop() {
  kill -TERM $service
  wait $service || return
}

psql -q "$server_url" -c 'create role gapura_owner login' -c 'create role gapura login noinherit' \
  -c 'create role gapura_tenant nologin' -c 'grant gapura_tenant to gapura, gapura_owner' \
  -c 'create database gapura owner gapura_owner'
./gapura-server migrate
SANDBOX_PORT=$((port + 1)) ./gapura-sandbox >sandbox.log 2>&1 &
sandbox=$!
start
until curl -sf -o /dev/null "$sandbox_url/"; do
  kill -0 $sandbox 2>/dev/null || { tail -n 1 sandbox.log; return 1; }
  sleep 0.1
done
. compatibility/operating/merchant.sh
