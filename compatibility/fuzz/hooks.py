# What Schemathesis has to know of this service beyond its API document, and the tally that it leaves in $TALLY_FILE:
# cases and statuses by phase, failures by check.

import collections
import json
import os
import re

import schemathesis
from schemathesis import cli, engine

# A request that fits the document is answered 400 only by a rule that no JSON Schema states. Each rule is the beginning
# of the message, which names the field at fault; what matches none of them fails positive_data_acceptance.
RULES_BEYOND_THE_SCHEMA = {
    # Opaque: only the service knows which ones it has given out.
    "a cursor or token that was not issued": r"cursor: is |token: is not valid|current_password: is wrong",
    # Depends on the build, and on the provider in the path; GET /v1/providers lists both.
    "a provider or its credentials": r"provider: must be one of |credentials(\.\w+)?: ",
    # What another tenant or account has to be, once each.
    "a relation": r"parent_id: |items\.\d+\.provider_account_id: is (no|in the list already)",
    # Two fields that do not go together.
    "one field against another": r"(items\.\d+\.)?max_amount: must not be below min_amount"
    r"|to: must (not be before from|be at most \d+ days)"
    r"|previous_credentials_hours: needs credentials"
    r"|date: is still to come"
    r"|amount: (can be given for|is required, the provider|is more than|must be all|the provider reported)",
    # Which channels a tenant has and how much each takes; GET /v1/active-methods lists them.
    "a channel's limits": r"method_(type|detail\.\w+): .* is not enabled for this tenant"
    r"|(amount|expiry_minutes|customer_phone): .* for ",
    # No format of JSON Schema is an address or network, nor a URL by the rules of callbacks and return pages.
    "an address": r"callback_sources\.\d+: must be an IPv4 or IPv6|(callback_url|base_url|return_url): must ",
    # The content of an uploaded file.
    "a line of a file": r"line \d+|body: is not valid UTF-8",
    # A pattern at each text would say so, and hide what else is said of it.
    "text that PostgreSQL cannot hold": r"[\w.]+: must be well-formed text without NUL",
}
BEYOND = {name: re.compile("bad request: (" + rule + ")", re.DOTALL) for name, rule in RULES_BEYOND_THE_SCHEMA.items()}

phases = {}
beyond = collections.Counter()


@schemathesis.hook
def before_call(context, case, kwargs):
    operation = case.operation.definition.raw.get("operationId")
    # Nothing happens in the run that is worth waiting for.
    if operation == "listenForWebhooks" and str((case.query or {}).get("wait_seconds", 20)).isdigit():
        case.query = {**(case.query or {}), "wait_seconds": 0}
    # A lower rate would have the rest of the run answered 429.
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
