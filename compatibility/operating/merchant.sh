# Creates an operator, a merchant and an account at the provider sandbox, and defines functions to pay with.
# Source this script in bash in a clone of the repository, after defining $base_url and $sandbox_url.

export GAPURA_BASE_URL=$base_url
# The CLI stores its profiles in this clone of the repository, so that the user's own profiles are not
# changed.
export XDG_CONFIG_HOME=$PWD/.config

field() { node -p "JSON.parse(require('fs').readFileSync(0)).$1"; }

# Creates a payment and prints its payment code. If `create 150000 order-1` is run twice, it creates only one
# payment.
create() {
  ./gapura --profile shop payments create --rupiah "$1" --idempotency-key "$2" --method virtual_account --channel BCA \
    --json | field payment_code
}
# Pays the payment with this code; the provider then sends a callback. `pay <code> silently` pays without a callback.
pay() { curl -sf -o /dev/null "$sandbox_url/simulate${2:+/$2}" -d "{\"payment_code\":\"$1\",\"outcome\":\"paid\"}"; }
# Waits until the merchant's balance in test mode, in rupiah, has this value.
balance() {
  until [ "$(./gapura --profile shop ledger balance --mode test --json | field balance)" = "${1}00" ]; do sleep 0.1; done
}

echo 'a long password' | ./gapura-server create-owner --email owner@example.com
echo 'a long password' | ./gapura --profile operator login --email owner@example.com
account=$(echo '{ "server_key": "SB-Mid-server-of-mine" }' | ./gapura --profile operator providers add-account midtrans \
  --mode test --name Midtrans --base-url "$sandbox_url/midtrans" --json | field id)
shop=$(./gapura --profile operator tenants create --name 'Toko Buku' --json | field id)
./gapura --profile operator entitlements set "$shop" "$account"
echo 'a long password' | ./gapura --profile operator users create --tenant "$shop" --email toko@example.com
echo 'a long password' | ./gapura --profile shop login --email toko@example.com
./gapura --profile shop keys create --mode test --name 'web shop' --save
