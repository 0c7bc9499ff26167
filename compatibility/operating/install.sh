# What the operating guides are tried out on: a database, one process, the provider sandbox, an operator and a merchant.
#
#   . compatibility/operating/install.sh <URL of a PostgreSQL's superuser> <port of the service>
#
# To be sourced in a checkout by a bash, which then has the settings and the functions below. docs/guides/scaling.md does
# the same step by step. The sandbox listens one port above the service.

server_url=$1
port=$2
base_url=http://127.0.0.1:$port
sandbox_url=http://127.0.0.1:$((port + 1))
umask 077

export DATABASE_URL=${server_url%/*}/gapura
DATABASE_URL=${DATABASE_URL/postgres@/gapura@}
export GAPURA_MASTER_KEY=$(openssl rand -base64 32)
export GAPURA_PUBLIC_URL=$base_url GAPURA_BASE_URL=$base_url
# Beside the checkout's files, so that nobody's own log-ins are touched.
export XDG_CONFIG_HOME=$PWD/.config

gapura-server() { node packages/server/src/commands/main.ts "$@"; }
gapura() { node packages/cli/src/main.ts "$@"; }
field() { node -p "JSON.parse(require('fs').readFileSync(0)).$1"; }

# Both leave the process id in $service, which `stop` ends.
start() {
  PORT=$port node packages/server/src/commands/main.ts start >>service.log 2>&1 &
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

# Prints the payment code. `create 150000 order-1` twice is one payment.
create() {
  gapura --profile shop payments create --rupiah "$1" --idempotency-key "$2" --method virtual_account --channel BCA \
    --json | field payment_code
}
# The payer pays what has this payment code; the provider calls back. `pay … silently` lets the callback get lost.
pay() { curl -sf -o /dev/null "$sandbox_url/simulate${2:+/$2}" -d "{\"payment_code\":\"$1\",\"outcome\":\"paid\"}"; }
# Waits for the merchant's balance in the test mode, in rupiah.
balance() {
  until [ "$(gapura --profile shop ledger balance --mode test --json | field balance)" = "${1}00" ]; do sleep 0.1; done
}

psql -q "$server_url" -c 'create role gapura login' -c 'create database gapura owner gapura'
gapura-server migrate
SANDBOX_PORT=$((port + 1)) node packages/sandbox/src/main.ts >sandbox.log 2>&1 &
start
echo 'a long password' | gapura-server create-owner --email owner@example.com
echo 'a long password' | gapura --profile operator login --email owner@example.com
account=$(echo '{ "server_key": "SB-Mid-server-of-mine" }' | gapura --profile operator providers add-account midtrans \
  --mode test --name Midtrans --base-url "$sandbox_url/midtrans" --json | field id)
shop=$(gapura --profile operator tenants create --name 'Toko Buku' --json | field id)
gapura --profile operator entitlements set "$shop" "$account"
echo 'a long password' | gapura --profile operator users create --tenant "$shop" --email toko@example.com
echo 'a long password' | gapura --profile shop login --email toko@example.com
gapura --profile shop keys create --mode test --name 'web shop' --save
