"""Asking pinproof's API over sockets of our own, which send what no library would."""

import base64
import json
import os
import socket
import struct
import time
import urllib.parse


class API:
    """Where page and API are, and the token."""

    def __init__(self, page, token):
        place = urllib.parse.urlsplit(page)
        self.address, self.port, self.token = (place.hostname, place.port), place.port, token
        self.bearer = {"Authorization": f"Bearer {token}"}
        self.cookie = {"Cookie": f"pinproof_{place.port}={token}"}

    def ask(self, method, path, headers=(), body=b"", bare=False):
        """Status, headers by lower-case name, body; with `bare` nothing is added but Host where it is missing."""
        headers = dict(headers)
        headers.setdefault("Host", "%s:%d" % self.address)
        if not bare:
            headers = {**self.bearer, **headers}
        if method == "POST" and not bare:
            headers.setdefault("Content-Length", str(len(body)))
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        with socket.create_connection(self.address) as client:
            # Nothing that works takes so long, however many tests share the machine.
            client.settimeout(600)
            client.sendall(f"{method} {path} HTTP/1.1\r\n{head}Connection: close\r\n\r\n".encode() + body)
            return read_answer(client.makefile("rb"))


def read_answer(got):
    status = int(got.readline().split()[1])
    headers = {}
    while line := got.readline().strip():
        name, value = line.decode("latin-1").split(":", 1)
        headers[name.lower()] = value.strip()
    if headers.get("transfer-encoding") == "chunked":
        pieces = []
        while size := int(got.readline(), 16):
            pieces.append(got.read(size))
            got.readline()
        return status, headers, b"".join(pieces)
    return status, headers, got.read(int(headers.get("content-length", 0)))


class WebSocket:
    """The API's events, as a page takes them (RFC 6455)."""

    def __init__(self, api, buffer=None):
        self.socket = socket.socket()
        if buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.socket.connect(api.address)
        self.socket.settimeout(60)
        self.got = self.socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET /api/events HTTP/1.1\r\nHost: {api.address[0]}:{api.port}\r\nCookie: pinproof_{api.port}={api.token}\r\n"
            f"Origin: http://{api.address[0]}:{api.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        status = self.got.readline().split()[1]
        if status != b"101":
            raise ConnectionError(f"no WebSocket: {status}")
        while self.got.readline().strip():
            pass
        self.events = []
        self.has_ended = False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def frame(self):
        first, second = self.got.read(2)
        size = second & 127
        if size > 125:
            size = struct.unpack("!H" if size == 126 else "!Q", self.got.read(2 if size == 126 else 8))[0]
        return first & 15, self.got.read(size)

    def event(self, name, limit, *others):
        """The next event of that name, or of the others; None where it does not come in time."""
        deadline = time.monotonic() + limit
        while time.monotonic() < deadline:
            self.socket.settimeout(max(0.1, deadline - time.monotonic()))
            try:
                kind, payload = self.frame()
            except TimeoutError:
                return None
            except (OSError, ValueError):
                self.has_ended = True
                return None
            if kind == 1:
                event = json.loads(payload)
                if event["event"] in (name, *others):
                    return event
        return None

    def row(self, is_wanted, limit):
        """The next row of which that is true."""
        deadline = time.monotonic() + limit
        while event := self.event("flows", deadline - time.monotonic()):
            for row in event["flows"]:
                if is_wanted(row):
                    return row
        return None

    def row_or_reload(self, is_wanted, limit, is_there):
        """Like `row`, but as a page does it: told to ask again, it asks. Whether it was told."""
        deadline = time.monotonic() + limit
        while event := self.event("flows", deadline - time.monotonic(), "reload"):
            if event["event"] == "reload" and is_there() or any(map(is_wanted, event.get("flows", []))):
                return True
        return False

    def ping(self, payload):
        mask = os.urandom(4)
        self.socket.sendall(
            bytes([0x89, 0x80 | len(payload)]) + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(payload)))
        self.socket.settimeout(30)
        while True:
            kind, answer = self.frame()
            if kind == 10:
                return answer
