"""What is said between client and origin, and what has to be recorded of it.

A scenario: `steps` in their order, ("c", bytes) by the client, ("s", bytes) by the origin, with a third member sent in
pieces of that many bytes; "c.close", "s.rst" and their like; ("see", flows, seconds) what the store has to hold by then.
`flows`: what has to be recorded in the end, in order; of each flow the members that matter.
"""

import base64
import gzip
import hashlib
import json
import os
import struct
import zlib

SCENARIOS = {}


def scenario(name, steps, flows, **more):
    SCENARIOS[name] = dict(steps=steps, flows=flows, **more)


def get(path="/", host="x", *fields):
    return ("\r\n".join([f"GET {path} HTTP/1.1", f"Host: {host}", *fields]) + "\r\n\r\n").encode()


def answer(body=b"ok", status="200 OK", *fields, length=True):
    lines = [f"HTTP/1.1 {status}", *fields] + ([f"Content-Length: {len(body)}"] if length else [])
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + body


CLOSE = [("c.close",), ("s.close",)]
DONE = dict(kind="http", state="complete")

scenario(
    "simple", [("c", get("/a?b=1", "simple.test")), ("s", answer(b"hello", "200 Fine"))] + CLOSE,
    [dict(DONE, method="GET", url="https://simple.test/a?b=1", status=200, res=b"hello", version="HTTP/1.1", scheme="https")],
)
scenario(
    "headers",
    [
        ("c", b"GET / HTTP/1.1\r\nHost: headers.test\r\nX-Dup: 1\r\nx-dup: 2\r\nX-Empty:\r\nX-Space:   a b  \r\nUPPER: Case\r\n\r\n"),
        ("s", answer(b"", "200 OK", "Set-Cookie: a=1", "Set-Cookie: b=2", "x-A: \u00e9")),
    ] + CLOSE,
    [dict(
        DONE,
        req_headers=[["Host", "headers.test"], ["X-Dup", "1"], ["x-dup", "2"], ["X-Empty", ""], ["X-Space", "a b"], ["UPPER", "Case"]],
        res_headers=[["Set-Cookie", "a=1"], ["Set-Cookie", "b=2"], ["x-A", "\u00e9"], ["Content-Length", "0"]],
    )],
)
BODY = bytes(range(256)) * 200
scenario(
    "post", [
        ("c", b"POST /up HTTP/1.1\r\nHost: post.test\r\nContent-Type: application/octet-stream\r\nContent-Length: 51200\r\n\r\n"),
        ("c", BODY, 7000), ("s", answer(b"", "201 Created"))] + CLOSE,
    [dict(DONE, method="POST", status=201, req=BODY, res=b"")],
)
scenario(
    "chunked", [
        ("c", b"POST / HTTP/1.1\r\nHost: chunked.test\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n"),
        ("c", b"5;ext=1\r\nhello\r\n6\r\n world\r\n0\r\nX-T: 1\r\nx-t: 2\r\n\r\n", 3),
        ("s", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: z\r\n\r\n", 5)] + CLOSE,
    [dict(DONE, req=b"hello world", req_trailers=[["X-T", "1"], ["x-t", "2"]], res=b"abc", res_trailers=[["X-Sum", "z"]])],
)
scenario(
    "keepalive", [step for i in range(5) for step in (("c", get(f"/{i}", "keepalive.test")), ("s", answer(str(i).encode())))] + CLOSE,
    [dict(DONE, path=f"/{i}", res=str(i).encode()) for i in range(5)],
)
scenario(
    "pipelined", [("c", b"".join(get(f"/{i}", "pipelined.test") for i in range(4))), ("s", b"".join(answer(str(i).encode()) for i in range(4)))] + CLOSE,
    [dict(DONE, path=f"/{i}", res=str(i).encode()) for i in range(4)],
)
scenario(
    "drip", [("c", get("/slow", "drip.test"), 1), ("s", answer(b"drop by drop"), 1)] + CLOSE,
    [dict(DONE, path="/slow", res=b"drop by drop")],
)
scenario(
    "interim", [("c", get("/", "interim.test")), ("s", b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"), ("s", answer())] + CLOSE,
    [dict(DONE, status=200, informational=[100, 103], res=b"ok")],
)
scenario(
    "head", [("c", b"HEAD / HTTP/1.1\r\nHost: head.test\r\n\r\n"), ("s", b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"),
             ("c", get("/next", "head.test")), ("s", b"HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n"),
             ("c", get("/last", "head.test")), ("s", b"HTTP/1.1 204 No Content\r\n\r\n")] + CLOSE,
    [dict(DONE, method="HEAD", res=b""), dict(DONE, status=304, res=b""), dict(DONE, status=204, res=b"")],
)
scenario(
    "untilclose", [("c", get("/", "untilclose.test")), ("s", b"HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\n"), ("s", b"as long as it lasts"), ("s.close",), ("c.close",)],
    [dict(DONE, res=b"as long as it lasts")],
)
scenario(
    "obsfold", [("c", b"GET / HTTP/1.1\r\nHost: obsfold.test\r\nX-Fold: one\r\n  two\r\n\r\n"), ("s", answer())] + CLOSE,
    [dict(DONE, req_headers=[["Host", "obsfold.test"], ["X-Fold", "one two"]])],
)
scenario(
    "barelf", [("c", b"GET / HTTP/1.1\nHost: barelf.test\n\n"), ("s", b"HTTP/1.1 200 OK\nContent-Length: 2\n\nok")] + CLOSE,
    [dict(DONE, status=200, res=b"ok")],
)
scenario(
    "noreason", [("c", get("/", "noreason.test")), ("s", b"HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n")] + CLOSE,
    [dict(DONE, status=200)],
)
scenario(
    "http10", [("c", b"GET / HTTP/1.0\r\n\r\n"), ("s", b"HTTP/1.0 200 OK\r\n\r\nold"), ("s.close",), ("c.close",)],
    [dict(DONE, version="HTTP/1.0", url="https://http10.test/", res=b"old")],
)
ZIPPED = gzip.compress(b'{"a": 1}' * 100, mtime=0)
scenario(
    "gzip", [("c", get("/", "gzip.test")), ("s", answer(ZIPPED, "200 OK", "Content-Encoding: gzip", "Content-Type: application/json"))] + CLOSE,
    [dict(DONE, res=ZIPPED, res_decoded=b'{"a": 1}' * 100)],
)
scenario(
    "corruptgzip", [("c", get("/", "corruptgzip.test")), ("s", answer(b"no gzip at all", "200 OK", "Content-Encoding: gzip"))] + CLOSE,
    [dict(DONE, res=b"no gzip at all")],
)
scenario(
    "open", [("c", get("/wait", "open.test")), ("see", [dict(state="open", path="/wait")]),
             ("s", b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc"), ("see", [dict(state="open", status=200)]), ("s", b"def")] + CLOSE,
    [dict(DONE, res=b"abcdef")],
)
scenario(
    "clientleaves", [("c", get("/", "clientleaves.test")), ("see", [dict(state="open")]), ("c.close",)],
    [dict(state="aborted", failure="client-gone")],
)
scenario(
    "originleaves", [("c", get("/", "originleaves.test")), ("s.close",), ("c.close",)],
    [dict(state="aborted", failure="origin-closed")],
)
scenario(
    "originresets", [("c", get("/", "originresets.test")), ("s", b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), ("s.rst",), ("c.close",)],
    [dict(state="aborted", failure="origin-reset", status=200, res=b"abc")],
)
scenario(
    "cutshort", [("c", get("/", "cutshort.test")), ("s", b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), ("s.close",), ("c.close",)],
    [dict(state="aborted", failure="origin-closed", res=b"abc")],
)
scenario(
    "nonsense", [("c", b"\x00\x01\x02 this is no HTTP\r\n\r\n"), ("s", b"\xff\xfenor is this")] + CLOSE,
    [dict(kind="raw", undecodable=0)],
)
scenario(
    "badchunk", [("c", get("/", "badchunk.test")), ("s", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\nmore")] + CLOSE,
    [dict(status=200, res=b"abc")],
)
scenario(
    "closesunasked", [("c.close",), ("s.close",)],
    [dict(kind="failure", failure="client-closed-after-handshake")],
)
scenario(
    "expect", [("c", b"PUT / HTTP/1.1\r\nHost: expect.test\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n"), ("s", b"HTTP/1.1 100 Continue\r\n\r\n"), ("c", b"body"), ("s", answer(b""))] + CLOSE,
    [dict(DONE, req=b"body", informational=[100])],
)
scenario(
    "earlyanswer", [("c", b"POST / HTTP/1.1\r\nHost: earlyanswer.test\r\nContent-Length: 4\r\n\r\n"), ("s", answer(b"too early", "413 Too Large")), ("c", b"body")] + CLOSE,
    [dict(DONE, status=413, req=b"body", res=b"too early")],
)


# WebSocket


def frame(opcode, payload, final=True, mask=None, rsv1=False):
    first = (0x80 if final else 0) | (0x40 if rsv1 else 0) | opcode
    bit = 0x80 if mask else 0
    if len(payload) < 126:
        head = struct.pack("!BB", first, bit | len(payload))
    elif len(payload) < 65536:
        head = struct.pack("!BBH", first, bit | 126, len(payload))
    else:
        head = struct.pack("!BBQ", first, bit | 127, len(payload))
    if not mask:
        return head + payload
    return head + mask + bytes(byte ^ mask[i & 3] for i, byte in enumerate(payload))


KEY = "dGhlIHNhbXBsZSBub25jZQ=="
ACCEPT = base64.b64encode(hashlib.sha1((KEY + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()
MASK = b"\x11\x22\x33\x44"


def upgrade(host, extension=""):
    more = f"Sec-WebSocket-Extensions: {extension}\r\n" if extension else ""
    asked = f"GET /ws HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {KEY}\r\nSec-WebSocket-Version: 13\r\n{more}\r\n"
    told = f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {ACCEPT}\r\n{more}\r\n"
    return [("c", asked.encode()), ("s", told.encode())]


LONG = os.urandom(70000)
BYE = struct.pack("!H", 1000) + b"bye"
scenario(
    "websocket", upgrade("websocket.test") + [
        ("c", frame(1, b"hello", mask=MASK)), ("s", frame(1, b"wo", final=False)), ("s", frame(9, b"ping")), ("s", frame(0, b"rld")),
        ("c", frame(10, b"ping", mask=MASK)), ("s", frame(2, LONG), 5000), ("c", frame(8, BYE, mask=MASK)), ("s", frame(8, BYE))] + CLOSE,
    [dict(kind="websocket", state="complete", status=101, messages=7, said=[
        ("client", "text", b"hello"), ("server", "ping", b"ping"), ("server", "text", b"world"), ("client", "pong", b"ping"),
        ("server", "binary", LONG), ("client", "close", BYE), ("server", "close", BYE)])],
)


def deflated(texts, takeover):
    made, out = None, []
    for text in texts:
        if made is None or not takeover:
            made = zlib.compressobj(wbits=-15)
        out.append((made.compress(text) + made.flush(zlib.Z_SYNC_FLUSH))[:-4])
    return out


TEXTS = [b"the same words again and again", b"the same words again and again", b"and others"]
for name, takeover in (("wsdeflate", True), ("wsdeflatenew", False)):
    extension = "permessage-deflate" + ("" if takeover else "; client_no_context_takeover; server_no_context_takeover")
    scenario(
        name, upgrade(f"{name}.test", extension)
        + [("c", frame(1, part, mask=MASK, rsv1=True)) for part in deflated(TEXTS, takeover)]
        + [("s", frame(1, part, rsv1=True)) for part in deflated(TEXTS, takeover)]
        + [("see", [dict(kind="websocket", messages=6)])] + CLOSE,
        [dict(kind="websocket", said=[("client", "text", one) for one in TEXTS] + [("server", "text", one) for one in TEXTS])],
    )

# Streams of messages
scenario(
    "sse", [
        ("c", get("/events", "sse.test", "Accept: text/event-stream")),
        ("s", b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"),
        ("s", b"d\r\ndata: first\n\n\r\n"), ("see", [dict(state="open", messages=1)], 0.6),
        ("s", b"1b\r\nevent: x\ndata: a\ndata: b\n\n\r\n"[0:0] + b"1a\r\nevent: x\ndata: a\ndata: b\n\n\r\n"), ("s", b"0\r\n\r\n")] + CLOSE,
    [dict(DONE, messages=2, said=[("server", "event", b"first"), ("server", "event", b"a\nb")], tags=["sse"])],
)
LINES = [json.dumps({"n": i}).encode() for i in range(3)]
scenario(
    "ndjson", [
        ("c", get("/", "ndjson.test")), ("s", b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nConnection: close\r\n\r\n"),
        ("s", LINES[0] + b"\n"), ("see", [dict(state="open", messages=1)], 0.6), ("s", LINES[1] + b"\n" + LINES[2] + b"\n"), ("s.close",), ("c.close",)],
    [dict(DONE, messages=3, res=b"\n".join(LINES) + b"\n")],
)
