"""Reads and verifies the audit log of an organisation. Needs Python 3.8, no package, and feed.py beside it. docs/audit.md explains the log.

  STRONGROOM_TOKEN=... python3 audit.py <address of the API> <id of the organisation> [<cursor>]
  python3 audit.py --vectors
"""

import json
import os
import sys
import urllib.request
from hashlib import sha256

from feed import canonical


def digest_of(entry):
    return sha256(b"\x00" + canonical(entry).encode()).hexdigest()


def hash_of(org_id, previous, sequence, digest):
    organization = sha256(b"strongroom/audit/v1\x00" + org_id.encode()).digest()
    link = organization + bytes.fromhex(previous) + sequence.to_bytes(8, "big") + bytes.fromhex(digest)
    return sha256(b"\x01" + link).hexdigest()


def follow(org_id, cursor, items):
    """Returns the cursor of the last item. Fails at the first item that does not follow the item before it."""
    sequence, previous = int(cursor.split("-")[0]), cursor.split("-")[1]
    for item in items:
        sequence += 1
        assert item["sequence"] == sequence, f"entry {sequence} is missing"
        assert digest_of(item["entry"]) == item["digest"], f"entry {sequence} was edited"
        previous = hash_of(org_id, previous, sequence, item["digest"])
        assert previous == item["hash"], f"the chain breaks at {sequence}"
    return f"{sequence}-{previous}"


def read(address, org_id, cursor):
    while True:
        request = urllib.request.Request(f"{address}/audit-log?limit=500&after={cursor}")
        request.add_header("Authorization", "Bearer " + os.environ["STRONGROOM_TOKEN"])
        with urllib.request.urlopen(request) as response:
            page = json.load(response)
        cursor = follow(org_id, cursor, page["items"])
        for item in page["items"]:
            print(item["sequence"], item["entry"]["kind"], item["entry"]["id"])
        head = f"{page['head']['sequence']}-{page['head']['hash']}"
        if cursor == head or not page["items"]:
            assert cursor == head, "the log ends before its head"
            return cursor


USER, TOKEN = "us-00000-00000-0000000000000001", "to-00000-00000-0000000000000001"
VECTOR_ENTRIES = [
    {"id": "au-00000-00000-0000000000000001", "kind": "OperatorCommand", "date": "2026-11-30T12:00:00.000Z",
     "data": {"command": "org:create", "details": {"userId": USER}}},
    {"id": "ua-00000-00000-0000000000000002", "kind": "UserAction", "date": "2026-11-30T12:00:00.001Z",
     "data": {"userId": USER, "tokenId": TOKEN, "method": "POST", "path": "/wallets", "bodySha256": "ab" * 32,
              "challenge": "Y2hhbGxlbmdl", "credentialUuid": None, "credentialKind": "Key"}},
    {"kind": "Refusal", "id": "au-00000-00000-0000000000000003",
     "data": {"userId": USER, "tokenId": TOKEN, "method": "PUT", "path": "/wallets/%C3%A9", "bodySha256": None,
              "userActionId": None, "code": "Forbidden", "furtherOmitted": False},
     "date": "2026-11-30T12:00:00.001Z"},
    {"id": "au-00000-00000-0000000000000004", "kind": "Charter", "date": "2026-11-30T12:00:01.000Z",
     "data": {"sequence": 1, "digest": "cd" * 32}},
    {"id": "au-00000-00000-0000000000000005", "kind": "OperatorCommand", "date": "2026-11-30T12:00:02.000Z",
     "data": {"command": "freeze", "details": {"reason": "Schl\u00fcssel \"verloren\"\u2028"}}},
]


def vectors(org_id):
    items, sequence, previous = [], 0, "00" * 32
    for entry in VECTOR_ENTRIES:
        sequence, digest = sequence + 1, digest_of(entry)
        previous = hash_of(org_id, previous, sequence, digest)
        items.append({"sequence": sequence, "digest": digest, "hash": previous, "entry": entry})
    return {"organizationId": org_id, "items": items}


if __name__ == "__main__":
    if sys.argv[1:] == ["--vectors"]:
        print(json.dumps(vectors("or-00000-00000-0000000000000001"), indent=2))
    else:
        print(read(sys.argv[1].rstrip("/"), sys.argv[2], (sys.argv[3:] or ["0-" + "00" * 32])[0]))
