"""What an honest client asks for, and has to get."""

import select
import ssl
import time
import zlib

import wire


def some_size(rng):
    """From nothing to 4 MiB; most are small."""
    at = rng.random()
    if at < 0.1:
        return 0
    if at < 0.75:
        return rng.randrange(1, 4096)
    if at < 0.93:
        return rng.randrange(4096, 131072)
    return rng.randrange(131072, 1 << 20) if at < 0.99 else rng.randrange(1 << 20, (4 << 20) + 1)


class Asked:
    """One request: what is sent, and what has to come back."""

    def __init__(self, name, rng, content, is_small=False):
        self.name = name
        self.method = rng.choice(("GET", "GET", "GET", "POST", "POST", "PUT", "DELETE", "HEAD", "PATCH"))
        self.flags = "".join(flag for flag in "cztu" if rng.random() < 0.3)
        self.status = rng.choice((200,) * 8 + (201, 404, 503, 204, 304))
        self.size = some_size(rng) if not is_small else rng.randrange(2000)
        self.path = f"/x/{name}?d={self.size}&f={self.flags or '-'}&s={self.status}"
        self.upload_size = some_size(rng) if self.method in ("POST", "PUT", "PATCH") else 0
        is_text = "t" in self.flags
        upload = content.body(name, "up", self.upload_size, is_text)
        self.upload = wire.gzipped(upload) if upload and "u" in self.flags else upload
        self.has_answer = self.method != "HEAD" and self.status not in (204, 304)
        self.expected = content.body(name, "down", self.size, is_text) if self.has_answer else b""

    def fields(self, host):
        found = [("host", host), ("user-agent", "pinproof-soak/1"), ("accept", "*/*"), ("x-up", str(self.upload_size))]
        if self.upload:
            found.append(("content-type", "text/plain" if "t" in self.flags else "application/octet-stream"))
            if "u" in self.flags:
                found.append(("content-encoding", "gzip"))
        return found

    def message(self, host, rng, target=None):
        """As HTTP/1.1."""
        fields = self.fields(host)
        body = self.upload
        if self.method in ("POST", "PUT", "PATCH"):
            if rng.random() < 0.4:
                fields.append(("Transfer-Encoding", "chunked"))
                body = wire.chunks(body, rng)
            else:
                fields.append(("Content-Length", str(len(body))))
        head = "".join(f"{name}: {value}\r\n" for name, value in fields)
        return f"{self.method} {target or self.path} HTTP/1.1\r\n{head}\r\n".encode() + body

    def check(self, status, fields, body):
        """Raises where anything differs; what came is in the ledger as it was on the wire."""
        if status != self.status:
            raise AssertionError(f"status {status} in place of {self.status}")
        if fields.get("x-id") != self.name:
            raise AssertionError(f"the answer for {fields.get('x-id')}")
        decoded = zlib.decompress(body, 31) if body and fields.get("content-encoding") == "gzip" else body
        if wire.digest(decoded) != wire.digest(self.expected):
            raise AssertionError(f"a wrong body: {len(decoded)} bytes in place of {len(self.expected)}")


class Pump(wire.Stream):
    """Writes while it reads, so that two ends that both send much do not wait for each other."""

    def __init__(self, sock):
        super().__init__(sock)
        self.leaving = bytearray()
        sock.setblocking(False)

    def send(self, data):
        self.leaving += data

    def _more(self):
        deadline = time.monotonic() + wire.LIMIT
        while True:
            try:
                while self.leaving:
                    del self.leaving[: self.sock.send(self.leaving[:65536])]
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError, BlockingIOError):
                pass
            try:
                piece = self.sock.recv(262144)
                if not piece:
                    raise wire.Closed("closed in the middle")
                self.waiting += piece
                return
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError, BlockingIOError):
                left = deadline - time.monotonic()
                if left <= 0:
                    raise TimeoutError("nothing came") from None
                select.select([self.sock], [self.sock] if self.leaving else [], [], left)
