"""Tests xendit-python with the calls of its docs/PaymentRequestApi.md and docs/RefundApi.md."""

import xendit
from xendit.apis import PaymentRequestApi, RefundApi
from xendit.refund.model.create_refund import CreateRefund

from sandbox import URL, reference, register, report, simulate

SECRET_KEY = "xnd_development_python"
register("xendit", {"secret_key": SECRET_KEY})
client = xendit.ApiClient(xendit.Configuration(host=URL + "/xendit", api_key=SECRET_KEY))
requests, refunds = PaymentRequestApi(client), RefundApi(client)


def create(kind, **method):
    """Creates a payment request from a dict, as in the documentation, because the model lacks the country field."""
    key = reference()
    return requests.create_payment_request(idempotency_key=key, payment_request_parameters={
        "reference_id": key, "amount": 44000, "currency": "IDR", "country": "ID",
        "payment_method": {"type": kind, "reusability": "ONE_TIME_USE", **method},
    })


account = create("VIRTUAL_ACCOUNT", virtual_account={
    "channel_code": "BNI", "channel_properties": {"customer_name": "Budi Santoso"},
})
found = requests.get_payment_request_by_id(payment_request_id=account.id)
listed = requests.get_all_payment_requests(reference_id=[account.reference_id])

wallet = create("EWALLET", ewallet={
    "channel_code": "DANA", "channel_properties": {"success_return_url": "https://shop.example/done"},
})
simulate(wallet.reference_id, "paid")
refund = refunds.create_refund(
    idempotency_key="refund-1",
    create_refund=CreateRefund(
        payment_request_id=wallet.id, reference_id="refund-1", amount=4000.0, currency="IDR",
        reason="REQUESTED_BY_CUSTOMER",
    ),
)
again = refunds.create_refund(
    idempotency_key="refund-1",
    create_refund=CreateRefund(payment_request_id=wallet.id, amount=4000.0, reason="REQUESTED_BY_CUSTOMER"),
)
try:
    refunds.create_refund(create_refund=CreateRefund(payment_request_id=account.id, reason="OTHERS"))
    refused = None
except xendit.XenditSdkException as error:
    refused = [error.status, error.errorCode]

report({
    "created": str(account.status),
    "number": account.payment_method.virtual_account.channel_properties.virtual_account_number,
    "found": found.id == account.id,
    "listed": [each.id for each in listed.data] == [account.id],
    "wallet": [action.url_type for action in wallet.actions],
    "refunded": [refund.channel_code, refund.amount],
    "repeated": again.id == refund.id,
    "fetched": refunds.get_refund(refund_id=refund.id).id == refund.id,
    "refused": refused,
})
