"""Holds what the proxy recorded against what honest clients did."""

import base64
import collections
import hashlib
import json
import random
import subprocess
import urllib.parse

from gauge import Gone

NOTHING = hashlib.sha256(b"").hexdigest()
BODIES = 3000
SHOWN = 12


class Honest:
    """One line of a ledger."""

    __slots__ = (
        "name",
        "kind",
        "scheme",
        "host",
        "port",
        "method",
        "path",
        "status",
        "up",
        "up_digest",
        "down",
        "down_digest",
        "began",
        "route",
    )

    def __init__(self, line):
        for name, value in zip(self.__slots__, line.rstrip("\n").split("\t")):
            setattr(self, name, value)

    @property
    def url(self):
        return f"{self.scheme}://{self.host}:{self.port}{self.path}"


class Comparison:
    """What was found: `wrong` fails a soak, and so does `unexplained`."""

    def __init__(self):
        self.counts = collections.Counter()
        self.wrong = []
        self.first_kept = self.first_began = None

    def say(self, kind, text):
        self.counts[kind] += 1
        if sum(line.startswith(kind) for line in self.wrong) < SHOWN:
            self.wrong.append(f"{kind}: {text}")


def ledgers(paths):
    """Every honest exchange by its id; tunnels have none that the proxy sees."""
    found, opaque = {}, collections.Counter()
    for path in paths:
        with open(path) as file:
            for line in file:
                if "\ttunnel\t" in line or "\ttls-echo\t" in line:
                    opaque[line.split("\t")[1]] += 1
                elif line.endswith("\n"):
                    found[line.partition("\t")[0]] = line
    return found, opaque


def name_of(url):
    """The id in a URL of ours, else None."""
    path = urllib.parse.urlsplit(url).path
    return path.rsplit("/", 1)[1] if path.startswith(("/x/", "/ws/")) else None


def compare(pinproof, store, environment, ledger_paths, api, seed):
    """Reads all flows, then the bytes of BODIES of them."""
    result = Comparison()
    expected, opaque = ledgers(ledger_paths)
    result.counts["honest exchanges"] = len(expected) + sum(opaque.values())
    seen, sample, rng = set(), [], random.Random(seed)
    listing = subprocess.Popen(
        [pinproof, "flows", "list", "--json", "--store", store],
        env=environment,
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
    )
    for line in listing.stdout:
        flow = json.loads(line)
        result.counts["flows in the store"] += 1
        result.counts[f"kind {flow['kind']} {flow['state']}"] += 1
        if result.first_kept is None:
            result.first_kept, result.first_began = flow["id"], flow["started"]
        if "recording-incomplete" in flow.get("tags", ()):
            result.counts["recording-incomplete"] += 1
        name = name_of(flow.get("url", "")) if flow["kind"] in ("http", "websocket") else None
        if name is None:
            continue
        if name in seen:
            result.say("twice", f"{name} is flow {flow['id']} as well")
            continue
        seen.add(name)
        if name not in expected:
            # Asked for, and cut off in the middle when its client was ended.
            result.counts["honest, but unfinished"] += 1
            continue
        honest = Honest(expected[name])
        _hold(flow, honest, result)
        if "recording-incomplete" in flow.get("tags", ()):
            continue
        # A reservoir: each has the same chance.
        if len(sample) < BODIES:
            sample.append((flow, honest))
        elif (at := rng.randrange(len(seen))) < BODIES:
            sample[at] = (flow, honest)
    if listing.wait() != 0:
        result.say("listing", f"`flows list` ended with {listing.returncode}")
    result.counts["honest in the store"] = len(seen & expected.keys())
    result.missing = [Honest(expected[name]) for name in expected.keys() - seen]
    for flow, honest in sample:
        try:
            _bytes(flow, honest, api, result)
        except Gone:
            # A store that is full removes its oldest also while it is read; else its bytes should be there.
            try:
                api.get(f"/api/flows/{flow['id']}")
                result.say("bytes", f"flow {flow['id']} {honest.name}: it is there, and has none")
            except Gone:
                result.counts["removed meanwhile"] += 1
    return result


def _hold(flow, honest, result):
    """One flow against one line."""
    about = f"flow {flow['id']} {honest.name} {honest.route}"
    if "recording-incomplete" in flow.get("tags", ()):
        # The recorder could not keep up, and says so: what is there must be right, and is not all.
        result.counts["incomplete, and said"] += 1
        return
    if flow.get("url") != honest.url:
        result.say("url", f"{about}: {flow.get('url')} in place of {honest.url}")
    if flow.get("method") != honest.method:
        result.say("method", f"{about}: {flow.get('method')} in place of {honest.method}")
    if str(flow.get("status")) != honest.status:
        result.say("status", f"{about}: {flow.get('status')} in place of {honest.status}")
    if flow.get("state") != "complete":
        result.say("state", f"{about}: {flow.get('state')}, {flow.get('failure')} {flow.get('tags')}")
    if honest.kind == "websocket":
        # The closing handshake is two messages more.
        if flow.get("messages") not in (2 * int(honest.up), 2 * int(honest.up) + 2):
            result.say("messages", f"{about}: {flow.get('messages')} in place of {2 * int(honest.up)} and a closing")
        return
    for side, size, digest in (("request", honest.up, honest.up_digest), ("response", honest.down, honest.down_digest)):
        body = flow.get(side, {}).get("body") or {}
        if body.get("size", 0) != int(size):
            result.say("size", f"{about}: a {side} of {body.get('size')} bytes in place of {size}")
        if body.get("sha256", NOTHING if size == "0" else None) is None:
            result.counts["without a digest"] += 1
        elif body.get("sha256", NOTHING) != digest:
            result.say("digest", f"{about}: another {side} than was sent")
        if body.get("kept", 0) < int(size):
            result.counts["cut short, and said"] += 1
        if "undecodable" in flow:
            result.say("undecodable", f"{about}: {flow['undecodable']}")


def _bytes(flow, honest, api, result):
    """The bytes that are kept of a flow."""
    if honest.kind == "websocket":
        return _messages(flow, honest, api, result)
    for side, size, digest in (("request", honest.up, honest.up_digest), ("response", honest.down, honest.down_digest)):
        if flow.get(side, {}).get("body", {}).get("kept", 0) < int(size) or size == "0":
            continue
        try:
            data = api.raw(f"/api/flows/{flow['id']}/{side}/body?raw=1")
        except OSError as error:
            # The oldest ones may go while this is read.
            result.say("unreadable", f"flow {flow['id']} {side}: {error}")
            continue
        result.counts["bodies read"] += 1
        if hashlib.sha256(data).hexdigest() != digest:
            result.say(
                "bytes",
                f"flow {flow['id']} {honest.name}: {len(data)} kept bytes of the {side} are not those that were sent",
            )


def _messages(flow, honest, api, result):
    if any(flow.get(side, {}).get("body", {}).get("shed") for side in ("request", "response")):
        result.counts["cut short, and said"] += 1
        return
    sides, after = {"client": hashlib.sha256(), "server": hashlib.sha256()}, ""
    while True:
        page = api.get(
            f"/api/flows/{flow['id']}/messages" + (f"?after={urllib.parse.quote(str(after))}" if after else "")
        )
        for message in page["messages"]:
            if message.get("cut"):
                result.counts["cut short, and said"] += 1
                return
            if message["type"] in ("text", "binary"):
                data = base64.b64decode(message["base64"]) if "base64" in message else message.get("data", "").encode()
                sides[message["from"]].update(data)
        after = page.get("next")
        if not after or not page["messages"]:
            break
    for side, found in sides.items():
        result.counts["WebSockets read"] += 1
        if found.hexdigest() != honest.up_digest:
            result.say(
                "messages' bytes", f"flow {flow['id']} {honest.name}: those of the {side} are not those that were sent"
            )
