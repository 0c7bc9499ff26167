"""Recomputes a merchant's monthly fee statement from its payments.

The program shares no code with the service. It reads the payments over HTTP and the versions of the fee schedule from
standard input, and prints the statement as JSON. All sums are exact fractions until a component of a fee is rounded.

Usage: GAPURA_URL=… GAPURA_API_KEY=… python3 recompute_statement.py 2026-11 < versions.json
"""

import json
import os
import sys
from collections import defaultdict
from datetime import datetime, timedelta, timezone
from fractions import Fraction
from urllib.parse import quote
from urllib.request import Request, urlopen

JAKARTA = timezone(timedelta(hours=7))


def get(path):
    url = os.environ["GAPURA_URL"] + path
    key = os.environ["GAPURA_API_KEY"]
    with urlopen(Request(url, headers={"Authorization": f"ApiKey {key}"})) as response:
        return json.load(response)["data"]


def payments():
    cursor = None
    while True:
        page = get("/v1/payments?limit=10" + (f"&cursor={quote(cursor)}" if cursor else ""))
        yield from page["items"]
        cursor = page.get("next_cursor")
        if cursor is None:
            return


def time_of(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def channel_of(payment):
    data = payment["method_data"]
    name = data.get("bank") or data.get("wallet_type") or data.get("store") or "qris"
    return name.lower()


def half_up(value):
    return int(value + Fraction(1, 2))


def rule_of(payment, versions):
    """Returns the most specific rule of the version that was in force when the payment was created."""
    in_force = [v for v in versions if time_of(v["effective_from"]) <= time_of(payment["created_at"])]
    if not in_force:
        return None
    version = max(in_force, key=lambda v: v["version"])
    kind, channel = payment["method_type"], channel_of(payment)
    matching = [
        rule
        for rule in version["rules"]
        if rule["method_type"] in (None, kind) and rule["channel"] in (None, channel)
    ]
    return max(matching, key=lambda r: (r["channel"] is not None, r["method_type"] is not None), default=None)


def fee(rule, amount):
    net = half_up(Fraction(amount * rule["percent_bps"], 10_000)) + rule["fixed"]
    if rule["min"] is not None:
        net = max(net, rule["min"])
    if rule["max"] is not None:
        net = min(net, rule["max"])
    tax = half_up(Fraction(net * rule["tax_bps"], 10_000))
    total = net + tax
    if total > amount:
        tax = half_up(Fraction(amount * tax, total))
        net = amount - tax
    return net, tax


def statement(month, versions):
    sums = defaultdict(lambda: [0, 0, 0])
    for payment in payments():
        if payment["status"] != "paid" or time_of(payment["paid_at"]).astimezone(JAKARTA).strftime("%Y-%m") != month:
            continue
        rule = rule_of(payment, versions)
        net, tax = fee(rule, payment["amount_paid"]) if rule else (0, 0)
        if net + tax > 0:
            group = sums[payment["method_type"], channel_of(payment)]
            for index, value in enumerate((1, net, tax)):
                group[index] += value
    items = [
        {"method_type": kind, "channel": channel, "count": count, "net": net, "tax": tax, "total": net + tax}
        for (kind, channel), (count, net, tax) in sorted(sums.items())
    ]
    totals = {name: sum(item[name] for item in items) for name in ("count", "net", "tax", "total")}
    return {"items": items, **totals}


if __name__ == "__main__":
    print(json.dumps(statement(sys.argv[1], json.load(sys.stdin))))
