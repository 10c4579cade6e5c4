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



# What receivers read, though senders should not write it
for name, head, chunks in (
    ("chunksbarelf", b"HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n", b"3\nabc\n0\nX-Sum: z\n\n"),
    ("chunksandlength", b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", b"3\r\nabc\r\n0\r\nX-Sum: z\r\n\r\n"),
    ("chunksin10", b"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"3\r\nabc\r\n0\r\nX-Sum: z\r\n\r\n"),
):
    scenario(name, [("c", get("/", f"{name}.test")), ("s", head + chunks)] + CLOSE, [dict(DONE, res=b"abc", res_trailers=[["X-Sum", "z"]], undecodable=None)])
REFUSABLE = ["Content-Length: 4", "Expect: 100-continue"]
scenario(
    "expectrefused", [
        ("c", get("/1", "expectrefused.test", *REFUSABLE).replace(b"GET", b"PUT")), ("s", answer(b"", "417 Expectation Failed")),
        ("c", get("/2", "expectrefused.test", REFUSABLE[0]).replace(b"GET", b"PUT") + b"body"), ("s", answer(b"", "201 Created"))] + CLOSE,
    [dict(DONE, path="/1", status=417, req=b""), dict(DONE, path="/2", status=201, req=b"body")],
)
scenario(
    "expectleft", [("c", get("/", "expectleft.test", *REFUSABLE).replace(b"GET", b"PUT")), ("s", answer(b"no", "403 Forbidden"))] + CLOSE,
    [dict(DONE, status=403, req=b"", res=b"no")],
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
scenario(
    "ssecut", [
        ("c", get("/events", "ssecut.test")), ("s", b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"),
        ("s", b"\xef\xbb\xbf: hello\r\ndata: a\r\ndata:b\r\n\r\nevent: up\rdata:  c\r\rdata: no empty line", 1), ("s.close",), ("c.close",)],
    [dict(DONE, messages=2, said=[("server", "event", b"a\nb"), ("server", "event", b" c")])],
)
scenario(
    "wscut", upgrade("wscut.test") + [("c", frame(1, b"hello", mask=MASK))] + CLOSE,
    [dict(kind="websocket", state="aborted", said=[("client", "text", b"hello")])],
)


# HTTP/2, by hand: header blocks of literals that are never indexed (RFC 7541 §6.2.2), so that nothing has to be remembered
DATA, HEADERS, RESET, SETTINGS, PUSH, PING, GOAWAY, CONTINUATION = 0, 1, 3, 4, 5, 6, 7, 9
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


def part(kind, flags, stream, payload=b""):
    return struct.pack("!I", len(payload))[1:] + struct.pack("!BBI", kind, flags, stream) + payload


def block(*fields):
    def text(value):
        value = value if isinstance(value, bytes) else value.encode()
        if len(value) < 127:
            return bytes([len(value)]) + value
        out, rest = [127], len(value) - 127
        while rest >= 128:
            out.append(rest % 128 + 128)
            rest //= 128
        return bytes(out + [rest]) + value

    return b"".join(b"\x00" + text(name) + text(value) for name, value in fields)


def asks(host, stream, path="/", method="GET", *fields, ends=True):
    start = [(":method", method), (":scheme", "https"), (":authority", host), (":path", path)]
    return part(HEADERS, 4 | ends, stream, block(*start, *fields))


def answers(stream, status=200, *fields, ends=False):
    return part(HEADERS, 4 | ends, stream, block((":status", str(status)), *fields))


def content(stream, data=b"", ends=False):
    return part(DATA, int(ends), stream, data)


def http2(name, steps, flows, close=True):
    begin = [("c", PREFACE + part(SETTINGS, 0, 0)), ("s", part(SETTINGS, 0, 0) + part(SETTINGS, 1, 0)), ("c", part(SETTINGS, 1, 0))]
    scenario(name, begin + steps + (CLOSE if close else []), flows, alpn=["h2"])


H2 = dict(DONE, version="h2")
http2(
    "h2simple", [
        ("c", asks("h2simple.test", 1, "/a?b", "POST", ("x-dup", "1"), ("x-dup", "2"), ("cookie", "a=1"), ("cookie", "b=2"), ends=False), 1),
        ("c", content(1, b"hello") + part(HEADERS, 5, 1, block(("x-sum", "1"))), 1),
        ("s", answers(1, 103, ("link", "</a>")) + answers(1, 200, ("set-cookie", "a"), ("set-cookie", "b")) + content(1, b"world") + part(HEADERS, 5, 1, block(("x-t", "")))),
    ],
    [dict(H2, stream=1, url="https://h2simple.test/a?b", method="POST", status=200, req=b"hello", res=b"world", informational=[103],
          req_headers=[["x-dup", "1"], ["x-dup", "2"], ["cookie", "a=1"], ["cookie", "b=2"]], req_trailers=[["x-sum", "1"]],
          res_headers=[["set-cookie", "a"], ["set-cookie", "b"]], res_trailers=[["x-t", ""]])],
)
ORDER = [(start * 37) % 100 for start in range(100)]
http2(
    "h2interleaved", [
        ("c", b"".join(asks("h2interleaved.test", 2 * i + 1, f"/{i}", "POST", ends=False) for i in range(100))),
        ("c", b"".join(content(2 * i + 1, bytes([i]) * 9, turn == 2) for turn in range(3) for i in ORDER), 777),
        ("s", b"".join(answers(2 * i + 1) for i in ORDER) + b"".join(content(2 * i + 1, bytes([i, turn]), turn == 3) for turn in range(4) for i in reversed(ORDER)), 999)],
    [dict(H2, path=f"/{i}", stream=2 * i + 1, req=bytes([i]) * 27, res=bytes([i, 0, i, 1, i, 2, i, 3])) for i in range(100)],
)
VALUE = "v" * 60000
LARGE = block((":status", "200"), ("x-large", VALUE))
http2(
    "h2large", [
        ("c", asks("h2large.test", 1)),
        ("s", part(HEADERS, 8, 1, b"\x05" + LARGE[:10] + bytes(5)) + b"".join(part(CONTINUATION, 0, 1, LARGE[at : at + 9000]) for at in range(10, len(LARGE), 9000)) + part(CONTINUATION, 4, 1)),
        ("s", part(DATA, 8, 1, b"\x03ok" + bytes(3)) + part(0xFE, 255, 1, b"unknown") + part(PING, 0, 0, bytes(8)) + part(DATA, 9, 1, b"\x00"))],
    [dict(H2, res=b"ok", res_headers=[["x-large", VALUE]])],
)
http2(
    "h2resets", [
        ("c", asks("h2resets.test", 1, "/app") + asks("h2resets.test", 3, "/origin") + asks("h2resets.test", 5, "/whole")),
        ("s", answers(1) + content(1, b"abc") + answers(3) + content(3, b"abc")), ("c", part(RESET, 0, 1, struct.pack("!I", 8))),
        ("s", part(RESET, 0, 3, struct.pack("!I", 2)) + answers(5) + content(5, b"ok", True))],
    [dict(state="aborted", path="/app", failure="client-gone", status=200, res=b"abc"),
     dict(state="aborted", path="/origin", failure="origin-reset", status=200, res=b"abc"), dict(H2, path="/whole", res=b"ok")],
)
http2(
    "h2goaway", [
        ("c", asks("h2goaway.test", 1, "/seen") + asks("h2goaway.test", 3, "/unseen")),
        ("s", part(GOAWAY, 0, 0, struct.pack("!II", 1, 0)) + answers(1) + content(1, b"ok", True))],
    [dict(H2, path="/seen", res=b"ok"), dict(state="aborted", path="/unseen", failure="origin-closed", status=None)],
)
http2(
    "h2push", [
        ("c", asks("h2push.test", 1)),
        ("s", part(PUSH, 4, 1, struct.pack("!I", 2) + block((":method", "GET"), (":scheme", "https"), (":authority", "h2push.test"), (":path", "/pushed")))),
        ("s", answers(1) + content(1, b"page", True) + answers(2) + content(2, b"pushed", True))],
    [dict(H2, stream=1, res=b"page"), dict(H2, stream=2, path="/pushed", res=b"pushed")],
)
CONNECTS = [(":method", "CONNECT"), (":protocol", "websocket"), (":scheme", "https"), (":authority", "h2websocket.test"), (":path", "/ws"), ("sec-websocket-extensions", "permessage-deflate")]
WORDS = deflated(TEXTS, True)
http2(
    "h2websocket", [
        ("s", part(SETTINGS, 0, 0, struct.pack("!HI", 8, 1))), ("c", part(SETTINGS, 1, 0) + part(HEADERS, 4, 1, block(*CONNECTS))),
        ("s", answers(1, 200, ("sec-websocket-extensions", "permessage-deflate"))),
        ("c", b"".join(content(1, frame(1, one, mask=MASK, rsv1=True)[:4]) + content(1, frame(1, one, mask=MASK, rsv1=True)[4:]) for one in WORDS)),
        ("s", content(1, frame(1, b"a", final=False) + frame(9, b"p") + frame(0, b"b"))),
        ("c", content(1, frame(8, BYE, mask=MASK), True)), ("s", content(1, frame(8, BYE), True))],
    [dict(kind="websocket", state="complete", status=200, url="https://h2websocket.test/ws", said=[("client", "text", one) for one in TEXTS] + [
        ("server", "ping", b"p"), ("server", "text", b"ab"), ("client", "close", BYE), ("server", "close", BYE)])],
)


def framed(data, flag=0):
    return struct.pack("!BI", flag, len(data)) + data


GRPC = ("content-type", "application/grpc")
http2(
    "h2grpc", [
        ("c", asks("h2grpc.test", 1, "/p.S/Talk", "POST", GRPC, ("te", "trailers"), ends=False) + content(1, framed(b"one")[:3])), ("c", content(1, framed(b"one")[3:])),
        ("s", answers(1, 200, GRPC, ("grpc-encoding", "gzip")) + content(1, framed(ZIPPED, 1) + framed(b""))), ("see", [dict(state="open", messages=3)], 0.6),
        ("c", content(1, framed(b"two"), True)), ("s", part(HEADERS, 5, 1, block(("grpc-status", "0")))),
        ("c", asks("h2grpc.test", 3, "/p.S/Fail", "POST", GRPC, ends=False) + content(3, framed(b""), True)), ("s", answers(3, 200, GRPC, ("grpc-status", "5"), ends=True))],
    [dict(H2, tags=["grpc:/p.S/Talk"], res_trailers=[["grpc-status", "0"]], said=[
        ("client", "grpc", b"one"), ("server", "grpc", b'{"a": 1}' * 100), ("server", "grpc", b""), ("client", "grpc", b"two")]),
     dict(H2, tags=["grpc:/p.S/Fail"], res=b"", said=[("client", "grpc", b"")])],
)
