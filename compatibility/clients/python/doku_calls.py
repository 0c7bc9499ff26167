"""Tests doku-python-library with its README's calls for virtual accounts and wallets, and its validation of a
notification.

do_refund is left out: it reads token_b2b2c, which the constructor declares but never sets, so it fails before it sends
anything.
"""

from datetime import datetime, timedelta, timezone

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from doku_python_library.src.commons import config
from doku_python_library.src.model.direct_debit.check_status_additional_info_request import (
    CheckStatusAdditionalInfoRequest,
)
from doku_python_library.src.model.direct_debit.check_status_request import CheckStatusRequest
from doku_python_library.src.model.direct_debit.payment_jump_app_additional_info import (
    PaymentJumpAppAdditionalInfo,
)
from doku_python_library.src.model.direct_debit.payment_jump_app_request import PaymentJumpAppRequest
from doku_python_library.src.model.direct_debit.url_param import UrlParam
from doku_python_library.src.model.va.additional_info import AdditionalInfo
from doku_python_library.src.model.va.check_status_va_request import CheckStatusRequest as VaStatusRequest
from doku_python_library.src.model.va.create_va_request import CreateVARequest
from doku_python_library.src.model.va.delete_va_additional_info import DeleteVAAdditionalInfo
from doku_python_library.src.model.va.delete_va_request import DeleteVARequest
from doku_python_library.src.model.va.total_amount import TotalAmount
from doku_python_library.src.model.va.update_va_additional_info import UpdateVAAdditionalInfo
from doku_python_library.src.model.va.update_va_config import UpdateVAConfig
from doku_python_library.src.model.va.update_va_request import UpdateVaRequest
from doku_python_library.src.model.va.virtual_account_config import VirtualAccountConfig
from doku_python_library.src.snap import DokuSNAP
from flask import jsonify

from sandbox import URL, Receiver, reference, register, report, simulate

CLIENT_ID, SECRET_KEY = "BRN-PYTHON", "SK-python"
SERVICE_ID, CHANNEL = "   77777", "VIRTUAL_ACCOUNT_BRI"
config._Development.BASE_URL = URL + "/doku"

key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
private_key = key.private_bytes(
    serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
).decode()
public_key = key.public_key().public_bytes(
    serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
).decode()

notified = []


def on_call(request):
    """Handles DOKU's two requests to the merchant: one for an access token, and one with a notification that
    carries this token.
    """
    if request.path.endswith("/access-token/b2b"):
        token = snap.validate_signature_and_generate_token()
        return jsonify(token.body.json()), 200 if token.body.access_token else 401
    bearer = request.headers["Authorization"].removeprefix("Bearer ")
    notified.append([request.path, snap.validate_token_b2b(bearer)])
    return "OK"


receiver = Receiver(on_call)
issued = register(
    "doku", {"client_id": CLIENT_ID, "secret_key": SECRET_KEY, "public_key": public_key}, receiver.url
)
snap = DokuSNAP(
    private_key=private_key, client_id=CLIENT_ID, is_production=False, public_key=issued["provider_public_key"],
    issuer="gapura", secret_key=SECRET_KEY, merchant_public_key=public_key,
)


def in_wib(hours):
    zone = timezone(timedelta(hours=7))
    return (datetime.now(zone) + timedelta(hours=hours)).isoformat(timespec="seconds")


def create_va(name="Toru Yamashita"):
    trx_id = reference()
    customer_no = str(int(trx_id[4:], 16))[:13]
    request = CreateVARequest(
        partner_service_id=SERVICE_ID, customer_no=customer_no, virtual_account_no=SERVICE_ID + customer_no,
        virtual_acc_name=name, trx_id=trx_id, virtual_acc_trx_type="C",
        total_amount=TotalAmount(value="12500.00", currency="IDR"),
        additional_info=AdditionalInfo(
            channel=CHANNEL, virtual_account_config=VirtualAccountConfig(reusable_status=False)
        ),
        expired_date=in_wib(24),
    )
    return trx_id, customer_no, snap.create_va(request)


def status_va(customer_no):
    return snap.check_status_va(VaStatusRequest(
        partner_service_id=SERVICE_ID, customer_no=customer_no, virtual_acc_no=SERVICE_ID + customer_no,
    ))


trx_id, customer_no, created = create_va()
pending = status_va(customer_no)
updated = snap.update_va(UpdateVaRequest(
    partnerServiceId=SERVICE_ID, customerNo=customer_no, virtualAccountNo=SERVICE_ID + customer_no,
    virtualAccountName="Test Example", trxId=trx_id, totalAmount=TotalAmount(value="20000.00", currency="IDR"),
    additionalInfo=UpdateVAAdditionalInfo(channel=CHANNEL, virtualAccountConfig=UpdateVAConfig(status="ACTIVE")),
    virtualAccountTrxType="C", expiredDate=in_wib(48),
))
callbacks = simulate(trx_id, "paid")

other_id, other_no, _ = create_va()
deleted = snap.delete_payment_code(DeleteVARequest(
    partner_service_id=SERVICE_ID, customer_no=other_no, virtual_acc_no=SERVICE_ID + other_no, trx_id=other_id,
    additional_info=DeleteVAAdditionalInfo(channel=CHANNEL),
))

wallet_id = reference()
wallet = snap.do_payment_jump_app(
    request=PaymentJumpAppRequest(
        partner_reference_no=wallet_id, amount=TotalAmount(value="11500.00", currency="IDR"),
        url_param=[UrlParam(url="https://shop.example/done", type="PAY_RETURN", is_deep_link="N")],
        valid_up_to=in_wib(1), point_of_initiation="app",
        additional_info=PaymentJumpAppAdditionalInfo(channel="EMONEY_DANA_SNAP", order_title="Shoes"),
    ),
    device_id="device", ip_address="203.0.113.25",
)
wallet_status = snap.do_check_status(CheckStatusRequest(
    service_code="55", original_partner_reference_no=wallet_id,
    additional_info=CheckStatusAdditionalInfoRequest(channel="EMONEY_DANA_SNAP"),
))

report({
    "created": created.response_code,
    "refused by the library": create_va("Toru#Yamashita")[2].response_code,
    "pending": pending.response_code,
    "updated": updated.response_code,
    "callbacks": [each["status"] for each in callbacks],
    "notified": notified,
    "paid": status_va(customer_no).json()["virtualAccountData"]["paidAmount"],
    "deleted": deleted.response_code,
    "wallet": wallet.response_code,
    "wallet status": wallet_status.response_code,
})
