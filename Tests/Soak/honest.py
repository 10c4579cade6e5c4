"""Honest clients: every answer is checked byte by byte, nothing is tried twice, and what was done is written down.

honest.py CONFIG NUMBER     until SIGTERM; ledger-NUMBER.tsv, failures-NUMBER.txt and honest-NUMBER.json in the folder
"""

import base64
import json
import os
import random
import signal
import ssl
import struct
import sys
import threading
import time

import http2
import pki
import websocket
import wire
from exchanges import Asked, Pump, some_size

THREADS = 6
KINDS = {"kept": 30, "new": 20, "http2": 20, "plain": 8, "pipelined": 5, "websocket": 8, "tunnel": 6, "tls-echo": 3}
HOSTS = 400


class Client:
    """One thread's work: connections of random kinds, one after the other."""

    def __init__(self, config, number, shared):
        self.config, self.shared = config, shared
        self.proxy = config["proxy"]
        self.rng = random.Random(f"{config['seed']}/honest/{number}")
        self.number, self.count = number, 0
        self.content = shared.content
        self.at = "-"

    def run(self):
        kinds, weights = list(KINDS), list(KINDS.values())
        while not self.shared.stops.is_set():
            kind = self.rng.choices(kinds, weights)[0]
            self.route = "-"
            try:
                getattr(self, kind.replace("-", "_"))()
            except Exception as error:  # Whatever it is, an honest client failed.
                self.shared.failed(f"{kind} {self.route} {self.at} {type(error).__name__}: {error}")

    # MARK: Connections

    def name(self):
        self.count += 1
        self.at = f"{self.number}-{self.count}"
        return self.at

    def open(self, port, host=None):
        self.host = host or self.rng.choice((pki.ORIGIN, f"h{self.rng.randrange(HOSTS)}.example.test"))
        self.route, self.port = self.rng.choice(wire.ROUTES), self.config["ports"][port]
        return wire.open_route(self.proxy, self.route, self.host, self.port)

    def secure(self, alpn, port="tls"):
        sock = self.open(port)
        try:
            context = self.rng.choice(self.shared.contexts[alpn])
            tls = context.wrap_socket(sock, server_hostname=self.host)
        except BaseException:
            sock.close()
            raise
        if alpn == "h2" and tls.selected_alpn_protocol() != "h2":
            raise AssertionError("no h2 agreed on")
        return tls

    def place(self):
        return f"{self.host}:{self.port}"

    # MARK: Kinds

    def kept(self):
        self.http1(self.rng.randrange(2, 30))

    def new(self):
        self.http1(1)

    def http1(self, rounds):
        stream = wire.Stream(self.secure("http/1.1"))
        try:
            for _ in range(rounds):
                if self.shared.stops.is_set():
                    break
                asked = Asked(self.name(), self.rng, self.content)
                began = time.time()
                stream.send(asked.message(self.place(), self.rng))
                self.receive1(stream, asked, "https", began)
        finally:
            stream.close()

    def pipelined(self):
        stream = wire.Stream(self.secure("http/1.1"))
        try:
            asked = [Asked(self.name(), self.rng, self.content, is_small=True) for _ in range(self.rng.randrange(2, 8))]
            asked = [one for one in asked if not one.upload]
            began = time.time()
            stream.send(b"".join(one.message(self.place(), self.rng) for one in asked))
            for one in asked:
                self.receive1(stream, one, "https", began)
        finally:
            stream.close()

    def plain(self):
        """Requests that name their URL, as clients of a proxy send them without TLS."""
        self.host, self.port, self.route = pki.ORIGIN, self.config["ports"]["plain"], "absolute"
        stream = wire.Stream(wire.reach(self.proxy))
        try:
            for _ in range(self.rng.randrange(1, 12)):
                asked = Asked(self.name(), self.rng, self.content)
                began = time.time()
                stream.send(asked.message(self.place(), self.rng, f"http://{self.place()}{asked.path}"))
                self.receive1(stream, asked, "http", began)
        finally:
            stream.close()

    def receive1(self, stream, asked, scheme, began):
        found = stream.head()
        if found is None:
            raise wire.Closed("closed instead of an answer")
        line, fields = found
        body = stream.body(fields) if asked.has_answer else b""
        asked.check(int(line.split(" ")[1]), fields, body)
        self.done(asked, scheme, body, began)

    def http2(self):
        tls = self.secure("h2")
        try:
            pump = Pump(tls)
            connection = http2.Connection(pump)
            pump.send(http2.PREFACE + http2.opening())
            # How wide the other side's windows are stands in its first two frames.
            connection.receive(), connection.receive()
            number = 1
            for _ in range(self.rng.randrange(1, 6)):
                waiting, began = {}, time.time()
                for _ in range(self.rng.randrange(1, 12)):
                    asked = Asked(self.name(), self.rng, self.content, is_small=self.rng.random() < 0.5)
                    waiting[number] = asked
                    pump.send(self.frames(connection, number, asked))
                    number += 2
                while waiting:
                    whole = connection.receive()
                    if whole:
                        stream, fields, body = whole
                        asked = waiting.pop(stream)
                        self.at = asked.name
                        asked.check(int(fields[":status"]), fields, body)
                        self.done(asked, "https", body, began)
        finally:
            tls.close()

    def frames(self, connection, number, asked):
        fields = [(":method", asked.method), (":scheme", "https"), (":path", asked.path), (":authority", self.place())]
        block = connection.encoder.block(fields + asked.fields("")[1:])
        flags = http2.END_HEADERS | (0 if asked.upload else http2.END_STREAM)
        out = http2.frame(http2.HEADERS, flags, number, block)
        return out + http2.data_frames(number, asked.upload, self.rng) if asked.upload else out

    def websocket(self):
        stream = wire.Stream(self.secure("http/1.1"))
        try:
            name, key = self.name(), base64.b64encode(self.rng.randbytes(16)).decode()
            began = time.time()
            stream.send(
                f"GET /ws/{name} HTTP/1.1\r\nHost: {self.place()}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode()
            )
            line, fields = stream.head()
            if " 101 " not in line or fields["sec-websocket-accept"] != websocket.accept_for(key):
                raise AssertionError(f"no WebSocket: {line}")
            sent, total = 0, b""
            for number in range(self.rng.randrange(1, 40)):
                is_text = self.rng.random() < 0.5
                kind = websocket.TEXT if is_text else websocket.BINARY
                size = self.rng.randrange(200) if self.rng.random() < 0.8 else self.rng.randrange(65536)
                data = self.content.body(f"{name}/{number}", "up", size, is_text)
                stream.send(websocket.message(kind, data, self.rng.randbytes(4), self.rng.choice((1, 1, 1, 3))))
                if websocket.read_message(stream) != (kind, data):
                    raise AssertionError(f"message {number} came back as another one")
                sent, total = sent + 1, total + data
            end = struct.pack(">H", 1000)
            stream.send(websocket.frame(websocket.CLOSE, end, self.rng.randbytes(4)))
            websocket.read_message(stream)
            self.ledger(
                "websocket",
                "https",
                "GET",
                f"/ws/{name}",
                101,
                sent,
                wire.digest(total),
                sent,
                wire.digest(total),
                began,
            )
        finally:
            stream.close()

    def tunnel(self):
        banner = self.rng.random() < 0.15
        stream = wire.Stream(self.open("banner" if banner else "echo", pki.ORIGIN))
        if banner and stream.until(b"\r\n") != b"* OK soak ready\r\n":
            raise AssertionError("another greeting")
        self.echo(stream, "tunnel")

    def tls_echo(self):
        self.echo(wire.Stream(self.secure("none", "tls-echo")), "tls-echo")

    def echo(self, stream, kind):
        """What is none of the protocols that are recorded comes back as it is."""
        name, total, began = self.name(), 0, time.time()
        try:
            for number in range(self.rng.randrange(1, 20)):
                data = self.content.body(f"{name}/{number}", "up", min(some_size(self.rng), 60000))
                out = b"\xf1" + struct.pack(">I", len(data)) + data
                stream.send(out)
                if stream.take(len(out)) != out:
                    raise AssertionError(f"message {number} came back as another one")
                total += len(out)
            self.ledger(kind, kind, "-", "-", 0, total, "-", total, "-", began)
        finally:
            stream.close()

    # MARK: What was done

    def done(self, asked, scheme, body, began):
        self.at = asked.name
        self.ledger(
            "http",
            scheme,
            asked.method,
            asked.path,
            asked.status,
            len(asked.upload),
            wire.digest(asked.upload),
            len(body),
            wire.digest(body),
            began,
        )

    def ledger(self, kind, scheme, method, path, status, up, up_digest, down, down_digest, began):
        words = (self.at, kind, scheme, self.host, self.port, method, path, status, up, up_digest, down, down_digest)
        self.shared.wrote(kind, "\t".join(map(str, (*words, f"{began:.3f}", self.route))) + "\n", up + down)


class Shared:
    """What the threads of this process share: files, counts, contexts, and the wish to stop."""

    def __init__(self, config, number):
        folder = config["folder"]
        self.stops, self.lock = threading.Event(), threading.Lock()
        self.content = wire.Content(config["seed"])
        self.file = open(f"{folder}/ledger-{number}.tsv", "w", buffering=1 << 16)
        self.failures = open(f"{folder}/failures-{number}.txt", "w", buffering=1)
        self.status = f"{folder}/honest-{number}.json"
        self.counts = {"exchanges": 0, "bytes": 0, "failures": 0}
        self.contexts = {
            alpn: [self.context(config, alpn, old) for old in (False, False, True)]
            for alpn in ("h2", "http/1.1", "none")
        }

    @staticmethod
    def context(config, alpn, is_old):
        context = ssl.create_default_context(cafile=config["ca"])
        if alpn != "none":
            context.set_alpn_protocols(["h2", "http/1.1"] if alpn == "h2" else [alpn])
        if is_old:
            context.maximum_version = ssl.TLSVersion.TLSv1_2
        return context

    def wrote(self, kind, line, size):
        with self.lock:
            self.file.write(line)
            self.counts["exchanges"] += 1
            self.counts["bytes"] += size
            self.counts[kind] = self.counts.get(kind, 0) + 1

    def failed(self, line):
        with self.lock:
            self.failures.write(f"{time.time():.1f} {line}\n")
            self.counts["failures"] += 1

    def tell(self):
        with self.lock:
            self.file.flush()
            text = json.dumps(self.counts)
        with open(self.status + ".new", "w") as file:
            file.write(text)
        os.rename(self.status + ".new", self.status)


def main():
    with open(sys.argv[1]) as file:
        config = json.load(file)
    number = sys.argv[2]
    shared = Shared(config, number)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: shared.stops.set())
    threads = [threading.Thread(target=Client(config, f"{number}.{n}", shared).run) for n in range(THREADS)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        time.sleep(1)
        shared.tell()
    shared.tell()


if __name__ == "__main__":
    main()
