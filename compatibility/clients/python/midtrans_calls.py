"""Tests midtransclient with its README's calls and its handling of a notification."""

import midtransclient

from sandbox import URL, Receiver, reference, register, report, simulate

SERVER_KEY = "SB-Mid-server-python"
core = midtransclient.CoreApi(is_production=False, server_key=SERVER_KEY, client_key="")
core.api_config.CORE_SANDBOX_BASE_URL = URL + "/midtrans"

notified = []


def on_notification(request):
    # For a notification, the library polls the provider for the status instead of checking the signature.
    notified.append(core.transactions.notification(request.get_json()))
    return "OK"


receiver = Receiver(on_notification)
register("midtrans", {"server_key": SERVER_KEY}, receiver.url)


def charge(**method):
    order = {"order_id": reference(), "gross_amount": 44000}
    return core.charge({"transaction_details": order, **method})


account = charge(payment_type="bank_transfer", bank_transfer={"bank": "bca"})
cancelled = core.transactions.cancel(account["order_id"])
expired = core.transactions.expire(charge(payment_type="echannel", echannel={
    "bill_info1": "Payment:", "bill_info2": "Online purchase",
})["order_id"])

wallet = charge(payment_type="gopay")
simulate(wallet["order_id"], "paid")
paid = core.transactions.status(wallet["order_id"])
refunded = core.transactions.refund(wallet["order_id"], {
    "refund_key": "reference1", "amount": 5000, "reason": "Item out of stock",
})
repeated = core.transactions.refund(wallet["order_id"], {"refund_key": "reference1", "amount": 5000})
direct = core.transactions.refundDirect(wallet["order_id"], {"refund_key": "reference2", "amount": 6000})

try:
    core.transactions.status("unknown")
    unknown = None
except midtransclient.error_midtrans.MidtransAPIError as error:
    unknown = error.http_status_code

report({
    "charged": account["transaction_status"],
    "number": account["va_numbers"][0]["va_number"],
    "cancelled": cancelled["transaction_status"],
    "expired": expired["transaction_status"],
    "paid": paid["transaction_status"],
    "refunded": [refunded["transaction_status"], refunded["refund_amount"]],
    "repeated": repeated["refund_chargeback_id"] == refunded["refund_chargeback_id"],
    "direct": [direct["refund_key"], direct["refund_amount"]],
    "listed": [each["refund_amount"] for each in core.transactions.status(wallet["order_id"])["refunds"]],
    "unknown": unknown,
    # /simulate responds once the payment's notification has been handled.
    "notified": "settlement" in [each["transaction_status"] for each in notified],
})
