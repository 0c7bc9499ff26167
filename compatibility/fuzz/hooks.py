# Adapts the API fuzzer Schemathesis to this service. Writes a summary to $TALLY_FILE: the number of test
# cases by phase and response status, and the number of failures by check.

import collections
import json
import os
import re
import uuid

import schemathesis
from schemathesis import cli, engine

# Rules of the service that JSON Schema cannot state. Only these rules may reject a request that matches the API
# document; any other 400 fails the check positive_data_acceptance. Each pattern matches the beginning of the error
# message, which names the field.
RULES_BEYOND_THE_SCHEMA = {
    # Cursors and tokens are opaque: only the service knows which ones it issued. A code of the second factor is valid
    # for 30 seconds. The first factor also requires the current password.
    "a cursor or token that was not issued": r"cursor: (is invalid|refers to)|token: is invalid"
    r"|current_password: is (wrong|required)|code: is wrong",
    # The valid values depend on the build and on the provider in the path; GET /v1/providers lists them.
    "a provider or its credentials": r"provider: must be one of |credentials(\.\w+)?: ",
    # The other tenant or account must have a certain role, and a list must name each account only once.
    "a relation": r"parent_id: |items\.\d+\.provider_account_id: is (not a|already in the list)",
    # The value of one field limits another field.
    "one field against another": r"(items\.\d+\.)?max_amount: must not be below min_amount"
    r"|to: must (not be before the from date|be at most \d+ days)"
    r"|previous_credentials_hours: must be 0 if no new credentials"
    r"|date: must not be in the future"
    r"|body: pass exactly one of payment_id, "
    r"|amount: (is allowed only for|is required, because|must be at most \d+ cents, the|must be \d+ cents)",
    # Each kind of email is for certain roles and permissions.
    "an email that the caller does not get": r"\w+: is a kind of email that users with your role and permissions never get",
    # A pattern cannot state the contrast of a color, nor that base64 text is a picture.
    "a color or a logo": r"color: must have a contrast of at least|logo\.(data|content_type): ",
    # Channels and their limits differ by tenant; GET /v1/active-methods lists them.
    "a channel's limits": r"method_(type|detail\.\w+): .* is not enabled for this tenant"
    r"|(amount|expiry_minutes|customer_phone): .* for ",
    # JSON Schema has no format for networks, and URLs have more rules than `uri`.
    "an address": r"(callback_sources|allowed_ips)\.\d+: must be an IPv4 or IPv6|(url|callback_url|base_url|return_url): must ",
    # The schema of an upload describes only text, so an error in a line of the uploaded file is possible.
    "a line of a file": r"line \d+|body: is not valid UTF-8",
    # PostgreSQL cannot store NUL, and a pattern on every text field would clutter the document.
    "text that PostgreSQL cannot hold": r"[\w.]+: must be well-formed text without NUL",
}
BEYOND = {name: re.compile("bad request: (" + rule + ")", re.DOTALL) for name, rule in RULES_BEYOND_THE_SCHEMA.items()}

phases = {}
beyond = collections.Counter()


@schemathesis.hook
def before_call(context, case, kwargs):
    operation = case.operation.definition.raw.get("operationId")
    # No event arrives during the run, so the request should not wait for one.
    if operation == "listenForWebhooks" and str((case.query or {}).get("wait_seconds", 20)).isdigit():
        case.query = {**(case.query or {}), "wait_seconds": 0}
    # A caller that ends its own session would get 401 for the rest of the run.
    if operation == "endSession" and case.path_parameters.get("session_id") == os.environ.get("SESSION_ID"):
        case.path_parameters = {**case.path_parameters, "session_id": str(uuid.uuid4())}
    # A lower rate limit would make the service reject the rest of the run with 429.
    if operation in ("updateTierLimits", "updateTenantLimits") and isinstance(case.body, dict):
        rate = case.body.get("requests_per_second")
        if isinstance(rate, (int, float)) and 10 <= rate <= 10_000:
            case.body = {**case.body, "requests_per_second": 10_000}


@schemathesis.hook
def filter_failure(context, failure, case, response):
    if type(failure).__name__ != "RejectedPositiveData" or response.status_code != 400:
        return True
    message = response.json()["error"]["message"]
    name = next((name for name, rule in BEYOND.items() if rule.match(message)), None)
    if name is None:
        return True
    beyond[name] += 1
    return False


@cli.handler()
class Tally(cli.EventHandler):
    def handle_event(self, context, event):
        if not isinstance(event, engine.events.ScenarioFinished):
            return
        empty = {"cases": 0, "statuses": collections.Counter(), "failures": collections.Counter()}
        counts = phases.setdefault(event.phase.value, empty)
        for interaction in event.recorder.interactions.values():
            counts["cases"] += 1
            status = "none" if interaction.response is None else str(interaction.response.status_code)
            counts["statuses"][status] += 1
        for checks in event.recorder.checks.values():
            counts["failures"].update(check.name for check in checks if check.status == engine.Status.FAILURE)

    def shutdown(self, context):
        with open(os.environ["TALLY_FILE"], "w") as file:
            json.dump({"phases": phases, "beyond": beyond}, file)
