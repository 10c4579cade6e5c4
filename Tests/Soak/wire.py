"""What clients and origins have in common: bodies made from a seed, buffered reading, and ways through the proxy."""

import hashlib
import os
import random
import socket
import struct
import zlib

LIMIT = 60
POOL_SIZE = 8 * 1024 * 1024
ALPHABET = b"etaoin shrdlucmfwypvbgkqjxzETAOIN0123456789.,;:-_/=+\n  "
LETTERS = bytes(ALPHABET[byte % len(ALPHABET)] for byte in range(256))


class Content:
    """Random bodies: the same for the same seed, and another one for each exchange and direction."""

    def __init__(self, seed):
        self.seed = str(seed)
        self.bytes = random.Random(self.seed).randbytes(POOL_SIZE)
        self.text = self.bytes.translate(LETTERS)

    def body(self, name, side, size, is_text=False):
        mark = hashlib.sha256(f"{self.seed}/{name}/{side}".encode()).digest()
        start = int.from_bytes(mark[:4], "big") % (POOL_SIZE // 2)
        head = mark.hex().encode()[:size] if is_text else mark[:size]
        pool = self.text if is_text else self.bytes
        return head + pool[start : start + size - len(head)]


def digest(data):
    return hashlib.sha256(data).hexdigest()


def gzipped(data):
    """As `gzip` does, at the quickest level."""
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    return packer.compress(data) + packer.flush()


class Closed(ConnectionError):
    """The other side ended in the middle."""


class Stream:
    """A socket, TLS or not, that is read in lines and lengths."""

    def __init__(self, sock, before=b""):
        self.sock, self.waiting = sock, bytearray(before)

    def _more(self):
        piece = self.sock.recv(262144)
        if not piece:
            raise Closed("closed in the middle")
        self.waiting += piece

    def until(self, mark, limit=1 << 20):
        start = 0
        while True:
            at = self.waiting.find(mark, start)
            if at >= 0:
                return self.take(at + len(mark))
            if len(self.waiting) > limit:
                raise ValueError("a line without end")
            start = max(0, len(self.waiting) - len(mark))
            self._more()

    def take(self, count):
        while len(self.waiting) < count:
            self._more()
        taken = bytes(self.waiting[:count])
        del self.waiting[:count]
        return taken

    def send(self, data):
        self.sock.sendall(data)

    def head(self):
        """First line, and the fields by lower-case name; None where the other side is done."""
        if not self.waiting:
            piece = self.sock.recv(262144)
            if not piece:
                return None
            self.waiting += piece
        lines = self.until(b"\r\n\r\n").decode("latin-1").split("\r\n")
        fields = {}
        for line in lines[1:-2]:
            name, _, value = line.partition(":")
            fields[name.lower()] = value.strip()
        return lines[0], fields

    def body(self, fields):
        """A body as its head announces it, without chunks."""
        if fields.get("transfer-encoding") == "chunked":
            pieces = []
            while True:
                size = int(self.until(b"\r\n").split(b";")[0], 16)
                if size == 0:
                    while self.until(b"\r\n") != b"\r\n":
                        pass
                    return b"".join(pieces)
                pieces.append(self.take(size))
                self.take(2)
        return self.take(int(fields.get("content-length", "0")))

    def close(self):
        self.sock.close()


def chunks(data, rng):
    """`data` in chunks of random sizes, with extensions and trailers now and then."""
    out, at = [], 0
    while at < len(data):
        size = min(len(data) - at, rng.choice((1, 7, 100, 1460, 16384, 65536, 1 << 20)) if at < 1 << 16 else 1 << 18)
        extension = ";soak=1" if rng.random() < 0.1 else ""
        out += [f"{size:x}{extension}\r\n".encode(), data[at : at + size], b"\r\n"]
        at += size
    out.append(b"0\r\nX-Trailer: end\r\n\r\n" if rng.random() < 0.2 else b"0\r\n\r\n")
    return b"".join(out)


def reset(sock):
    """Closes as the kernel does for a process that was killed with bytes unread."""
    if sock.fileno() < 0:
        return
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    os.close(sock.detach())


def reach(proxy, limit=LIMIT):
    """A socket to the proxy. Source addresses differ, so that ports do not run out."""
    source = f"127.0.{random.randrange(1, 16)}.{random.randrange(1, 250)}"
    sock = socket.create_connection(tuple(proxy), limit, source_address=(source, 0))
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return sock


ROUTES = ("connect", "connect-address", "socks", "socks-address")


def open_route(proxy, route, host, port, limit=LIMIT):
    """A socket that leads to host:port through the proxy."""
    sock = reach(proxy, limit)
    target = "127.0.0.1" if route.endswith("-address") else host
    try:
        if route.startswith("connect"):
            sock.sendall(f"CONNECT {target}:{port} HTTP/1.1\r\nHost: {target}:{port}\r\n\r\n".encode())
            answer = _exactly_to(sock, b"\r\n\r\n")
            if b" 200 " not in answer.split(b"\r\n")[0]:
                raise ConnectionError(answer.decode("latin-1")[:200])
        else:
            sock.sendall(b"\x05\x01\x00")
            if _exactly(sock, 2) != b"\x05\x00":
                raise ConnectionError("SOCKS5 is not to be had")
            if target == host:
                where = b"\x03" + bytes([len(host)]) + host.encode()
            else:
                where = b"\x01" + socket.inet_aton(target)
            sock.sendall(b"\x05\x01\x00" + where + struct.pack(">H", port))
            answer = _exactly(sock, 4)
            _exactly(sock, {1: 6, 4: 18}[answer[3]])
            if answer[1] != 0:
                raise ConnectionError(f"SOCKS5 reply {answer[1]}")
    except BaseException:
        sock.close()
        raise
    return sock


def _exactly(sock, count):
    data = b""
    while len(data) < count:
        piece = sock.recv(count - len(data))
        if not piece:
            raise Closed("closed before the way stood")
        data += piece
    return data


def _exactly_to(sock, mark):
    data = b""
    while not data.endswith(mark):
        data += _exactly(sock, 1)
    return data
