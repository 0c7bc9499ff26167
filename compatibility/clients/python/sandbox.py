"""Does what a merchant does at the sandbox apart from calling a provider: register, pay, and receive notifications."""

import json
import os
import sys
import threading
import urllib.request
import uuid

from flask import Flask, request
from werkzeug.serving import make_server

URL = os.environ["SANDBOX_URL"]


def post(path, body):
    asked = urllib.request.Request(
        URL + path, json.dumps(body).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(asked) as answer:
        return json.load(answer)


def register(provider, credentials, notification_url=None):
    """Registers a merchant account at the sandbox and returns the credentials that the provider would issue."""
    body = {"provider": provider, "credentials": credentials, "notification_url": notification_url}
    return post("/merchants", body)["credentials"]


def simulate(reference, outcome, **more):
    return post("/simulate", {"payment_code": reference, "outcome": outcome, **more})["callbacks"]


def reference():
    return "PAY-" + uuid.uuid4().hex[:20]


class Receiver:
    """A server of the merchant that receives notifications. `answer` takes a Flask request and returns the response."""

    def __init__(self, answer):
        app = Flask("merchant")
        app.route("/<path:path>", methods=["POST"])(lambda path: answer(request))
        self.server = make_server("127.0.0.1", 0, app, threaded=True)
        self.url = f"http://127.0.0.1:{self.server.server_port}/callbacks"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


def report(result):
    """Prints the result as the last line on stdout, because a library may have printed text before it."""
    print(json.dumps(result))
    sys.exit(0)
