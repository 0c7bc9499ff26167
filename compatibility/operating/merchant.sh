# An operator, a merchant and an account at the provider sandbox, and functions to pay with. To be sourced by a bash that
# has $base_url, $sandbox_url and a function gapura-server, in a checkout.

export GAPURA_BASE_URL=$base_url
# Beside the checkout's files, so that nobody's own log-ins are touched.
export XDG_CONFIG_HOME=$PWD/.config

gapura() { node packages/cli/src/main.ts "$@"; }
field() { node -p "JSON.parse(require('fs').readFileSync(0)).$1"; }

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

echo 'a long password' | gapura-server create-owner --email owner@example.com
echo 'a long password' | gapura --profile operator login --email owner@example.com
account=$(echo '{ "server_key": "SB-Mid-server-of-mine" }' | gapura --profile operator providers add-account midtrans \
  --mode test --name Midtrans --base-url "$sandbox_url/midtrans" --json | field id)
shop=$(gapura --profile operator tenants create --name 'Toko Buku' --json | field id)
gapura --profile operator entitlements set "$shop" "$account"
echo 'a long password' | gapura --profile operator users create --tenant "$shop" --email toko@example.com
echo 'a long password' | gapura --profile shop login --email toko@example.com
gapura --profile shop keys create --mode test --name 'web shop' --save
