"""Reads and verifies the feed of an organisation. Needs Python 3.8 and no package. docs/feed.md explains the feed.

  STRONGROOM_TOKEN=... python3 feed.py <address of the API> <id of the organisation> [<cursor>]
  python3 feed.py --vectors
"""

import hashlib
import json
import os
import sys
import urllib.request
from decimal import Decimal


def number(value):
    """The shortest decimal form, as ECMAScript writes it."""
    if isinstance(value, int):
        return str(value)
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    if digits == (0,):
        return "0"
    text, point = "".join(map(str, digits)), len(digits) + exponent
    if len(digits) <= point <= 21:
        text += "0" * (point - len(digits))
    elif 0 < point <= 21:
        text = text[:point] + "." + text[point:]
    elif -6 < point <= 0:
        text = "0." + "0" * -point + text
    else:
        text = text[0] + ("." + text[1:] if len(text) > 1 else "") + "e" + format(point - 1, "+d")
    return "-" * sign + text


def canonical(value):
    """RFC 8785."""
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
        return "{" + ",".join(canonical(key) + ":" + canonical(value[key]) for key in keys) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return number(value)
    return json.dumps(value, ensure_ascii=False)


def digest_of(event):
    return hashlib.sha256(b"\x00" + canonical(event).encode()).hexdigest()


def hash_of(org_id, previous, sequence, digest):
    organization = hashlib.sha256(b"strongroom/feed/v1\x00" + org_id.encode()).digest()
    link = organization + bytes.fromhex(previous) + sequence.to_bytes(8, "big") + bytes.fromhex(digest)
    return hashlib.sha256(b"\x01" + link).hexdigest()


def follow(org_id, cursor, items):
    """Returns the cursor of the last item. Fails at the first item that does not follow the item before it."""
    sequence, previous = int(cursor.split("-")[0]), cursor.split("-")[1]
    for item in items:
        sequence += 1
        assert item["sequence"] == sequence, f"event {sequence} is missing"
        assert digest_of(item["event"]) == item["digest"], f"event {sequence} was altered"
        previous = hash_of(org_id, previous, sequence, item["digest"])
        assert previous == item["hash"], f"the chain breaks at {sequence}"
    return f"{sequence}-{previous}"


def read(address, org_id, cursor):
    while True:
        request = urllib.request.Request(f"{address}/events?limit=500&after={cursor}")
        request.add_header("Authorization", "Bearer " + os.environ["STRONGROOM_TOKEN"])
        with urllib.request.urlopen(request) as response:
            page = json.load(response)
        cursor = follow(org_id, cursor, page["items"])
        for item in page["items"]:
            print(item["sequence"], item["event"]["kind"], item["event"]["id"])
        head = f"{page['head']['sequence']}-{page['head']['hash']}"
        if cursor == head or not page["items"]:
            assert cursor == head, "the feed ends before its head"
            return cursor


VECTOR_EVENTS = [
    {"id": "ev-00000-00000-0000000000000001", "kind": "wallet.created", "date": "2026-11-30T11:00:00.000Z",
     "data": {"wallet": {"id": "wa-00000-00000-0000000000000001", "network": "EthereumSepolia", "tags": []}}, "version": 1},
    {"version": 2, "kind": "wallet.transfer.requested", "id": "ev-00000-00000-0000000000000002",
     "data": {"quote": 0.000001, "small": 1.5e-7, "large": 1e21, "whole": 100.0, "negative": -12.5, "none": None, "is": True},
     "date": "2026-11-30T11:00:00.001Z"},
    {"id": "ev-00000-00000-0000000000000003", "kind": "policy.triggered", "date": "2026-11-30T11:00:00.001Z",
     "data": {"\U0001f600": 1, "\ufb33": 2, "\u00e9": "\u20ac \"\\/\b\f\n\r\t\u000f\u007f\u2028", "": [[], {}]}, "version": 9007199254740991},
]


def vectors(org_id):
    items, sequence, previous = [], 0, "00" * 32
    for event in VECTOR_EVENTS:
        sequence, digest = sequence + 1, digest_of(event)
        previous = hash_of(org_id, previous, sequence, digest)
        items.append({"sequence": sequence, "digest": digest, "hash": previous, "event": event, "canonical": canonical(event)})
    return {"organizationId": org_id, "items": items}


if __name__ == "__main__":
    if sys.argv[1:] == ["--vectors"]:
        print(json.dumps(vectors("or-00000-00000-0000000000000001"), indent=2))
    else:
        print(read(sys.argv[1].rstrip("/"), sys.argv[2], (sys.argv[3:] or ["0-" + "00" * 32])[0]))
