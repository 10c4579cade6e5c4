"""The faulty origin: each of its ports, and each path of its TLS port, does something else wrong.

faulty_origin.py CONFIG     listens on the sockets that were handed down; faulty-origin.json counts what was done
"""

import json
import os
import random
import socket
import ssl
import struct
import sys
import threading
import time
import zlib

import http2
import records
import websocket
import wire

LIMIT = 240
BOMB_SIZE = 200 << 20


def bomb():
    """BOMB_SIZE zeros, gzipped."""
    packer, piece = zlib.compressobj(9, zlib.DEFLATED, 31), bytes(1 << 20)
    return b"".join([packer.compress(piece) for _ in range(BOMB_SIZE >> 20)] + [packer.flush()])


class FaultyOrigin:
    def __init__(self, config):
        self.config, self.rng, self.counts = config, random.Random(config["seed"]), {}
        self.bomb = bomb()
        self.pool = random.Random(1).randbytes(1 << 20)
        self.contexts = {name: self.context(name) for name in ("honest", "names10000", "names2000", "deep")}

    def context(self, name):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.config[name], self.config["key"])
        context.set_alpn_protocols(["h2", "http/1.1"])
        return context

    def run(self):
        ports = {
            name: self.port
            for name in ("hello-reset", "handshake-reset", "half-flight", "garbage", "silent", "alerts", "empties")
        }
        ports.update({name: self.tls for name in ("faulty", "names10000", "names2000", "deep")})
        for name, serve in ports.items():
            listener = socket.socket(fileno=self.config["sockets"][name])
            threading.Thread(target=self._accept, args=(listener, name, serve), daemon=True).start()
        while True:
            time.sleep(2)
            path = f"{self.config['folder']}/faulty-origin.json"
            with open(path + ".new", "w") as file:
                json.dump(dict(self.counts), file)
            os.rename(path + ".new", path)

    def _accept(self, listener, name, serve):
        while True:
            try:
                sock, _ = listener.accept()
            except OSError:
                time.sleep(0.1)
                continue
            threading.Thread(target=self._one, args=(sock, name, serve), daemon=True).start()

    def _one(self, sock, name, serve):
        try:
            sock.settimeout(LIMIT)
            serve(sock, name)
        except Exception:  # Its clients misbehave, and so does it.
            pass
        finally:
            sock.close()

    def did(self, name):
        self.counts[name] = self.counts.get(name, 0) + 1

    # MARK: Ports

    def port(self, sock, name):
        self.did(name)
        if name == "garbage":
            sock.sendall(self.pool[: self.rng.randrange(1, 100000)])
        hello = sock.recv(65536)
        if name == "hello-reset":
            return wire.reset(sock)
        if name == "alerts":
            return self.forever(sock, records.plain(records.ALERT, b"\1\x5a") * 100)
        if name == "empties":
            return self.forever(sock, records.plain(records.HANDSHAKE, b"") * 100)
        if name in ("handshake-reset", "half-flight"):
            flight = self.flight(hello)
            sock.sendall(flight[: self.rng.randrange(1, len(flight))])
            if name == "handshake-reset":
                return wire.reset(sock)
        self.wait(sock)

    def flight(self, hello):
        """What an honest server would answer."""
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        tls = self.contexts["honest"].wrap_bio(incoming, outgoing, server_side=True)
        incoming.write(hello)
        try:
            tls.do_handshake()
        except ssl.SSLError:
            pass
        return outgoing.read() or b"\0"

    @staticmethod
    def forever(sock, data, limit=1000):
        """Again and again, until the other side has enough of it."""
        for _ in range(limit):
            sock.sendall(data)

    @staticmethod
    def wait(sock):
        """Stands still until the other side ends."""
        while sock.recv(65536):
            pass

    def tls(self, sock, name):
        context, keylog = self.contexts["honest" if name == "faulty" else name], None
        if name == "faulty" and self.rng.random() < 0.1:
            # For floods of records; which path it will be, nobody has said yet.
            context = self.context("honest")
            context.num_tickets = 0
            keylog = records.logged(context)
        try:
            if name != "faulty":
                self.did(name)
            tls = context.wrap_socket(sock, server_side=True)
            if tls.selected_alpn_protocol() == "h2":
                self.http2(tls)
            else:
                self.http1(tls, keylog)
            tls.close()
        finally:
            if keylog:
                os.unlink(keylog)

    # MARK: HTTP/1.1

    def http1(self, tls, keylog):
        stream = wire.Stream(tls)
        line, fields = stream.head()
        what = line.split(" ")[1].strip("/").partition("?")[0]
        if keylog:
            kind = self.rng.choice(records.FLOODS)
            self.did(f"origin {kind}")
            sealer = records.Sealer(tls, keylog, "SERVER")
            try:
                return records.flood(sealer, kind, self.rng)
            finally:
                sealer.sock.close()
        answer = getattr(self, "do_" + what.replace("-", "_"), None)
        if answer:
            self.did(f"origin {what}")
            return answer(stream, tls)
        stream.body(fields)
        stream.send(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")

    HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n"

    def do_big(self, stream, tls):
        stream.send(self.HEAD + b"Content-Length: %d\r\n\r\n" % (16 << 20))
        self.forever(tls, self.pool, 16)

    def do_bomb(self, stream, tls):
        stream.send(self.HEAD + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(self.bomb) + self.bomb)

    def do_cut(self, stream, tls):
        stream.send(self.HEAD + b"Content-Length: 1000000\r\n\r\n" + self.pool[: self.rng.randrange(900000)])
        wire.reset(tls)

    def do_short(self, stream, tls):
        stream.send(self.HEAD + b"Content-Length: 1000000\r\n\r\n" + self.pool[:5000])

    def do_more(self, stream, tls):
        stream.send(self.HEAD + b"Content-Length: 10\r\n\r\n" + self.pool[:5000])

    def do_dribble(self, stream, tls):
        for byte in self.HEAD + b"Content-Length: 100\r\n\r\n" + self.pool[:100]:
            stream.send(bytes((byte,)))
            time.sleep(0.02)

    def do_endless_head(self, stream, tls):
        stream.send(self.HEAD)
        self.forever(tls, b"X-Again: and again\r\n" * 500)

    def do_long_line(self, stream, tls):
        stream.send(self.HEAD + b"X-Long: " + b"a" * 65536 + b"\r\nContent-Length: 0\r\n\r\n")

    def do_stall(self, stream, tls):
        stream.send(self.HEAD + b"Content-Length: 100000\r\n\r\n" + self.pool[:50000])
        self.wait(tls)

    def do_silence(self, stream, tls):
        self.wait(tls)

    def do_interim(self, stream, tls):
        self.forever(tls, b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", 2000)
        stream.send(self.HEAD + b"Content-Length: 0\r\n\r\n")

    def do_garbage(self, stream, tls):
        stream.send(self.pool[: self.rng.randrange(1, 200000)])

    def do_chunk_garbage(self, stream, tls):
        stream.send(
            self.HEAD
            + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"
            + self.rng.choice((b"zz\r\n", b"-1\r\n", b"f" * 5000))
        )
        self.wait(tls)

    def do_gzip_garbage(self, stream, tls):
        stream.send(self.HEAD + b"Content-Encoding: gzip\r\nContent-Length: 5000\r\n\r\n" + self.pool[:5000])

    def do_no_notify(self, stream, tls):
        stream.send(self.HEAD + b"Connection: close\r\n\r\n" + self.pool[:50000])
        socket.socket(fileno=tls.detach()).close()

    def do_half_close(self, stream, tls):
        stream.send(self.HEAD + b"Connection: close\r\n\r\n" + self.pool[:5000])
        tls.shutdown(socket.SHUT_WR)
        self.wait(tls)

    def do_unread(self, stream, tls):
        """Takes an upload slower than it comes."""
        for _ in range(60):
            tls.recv(4096)
            time.sleep(1)

    def do_leave(self, stream, tls):
        """Takes some of an upload, waits until no more comes through, and is gone."""
        time.sleep(self.rng.uniform(0, 3))
        tls.recv(65536)
        wire.reset(tls)

    def do_socket_garbage(self, stream, tls):
        stream.send(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
        for _ in range(50):
            stream.send(
                websocket.frame(
                    self.rng.randrange(16), self.pool[: self.rng.randrange(70000)], is_last=self.rng.random() < 0.5
                )
            )
        stream.send(struct.pack(">BBQ", 0x82, 127, 1 << 62) + self.pool[:100000])

    # MARK: HTTP/2

    def http2(self, tls):
        stream = wire.Stream(tls)
        stream.take(len(http2.PREFACE))
        stream.send(http2.opening())
        connection = http2.Connection(stream)
        while True:
            kind, flags, number, payload = http2.read_frame(stream)
            if kind == http2.HEADERS:
                break
        try:
            what = dict(connection.decoder.fields(payload))[":path"].strip("/")
        except (ValueError, KeyError, IndexError):
            what = "sink"
        self.did(f"origin h2 {what}")
        head = lambda number, end=0: http2.frame(http2.HEADERS, http2.END_HEADERS | end, number, b"\x88")
        if what == "big":
            stream.send(head(number))
            self.forever(tls, http2.frame(http2.DATA, 0, number, self.pool[: http2.LARGEST]), 1024)
        elif what == "settings":
            self.forever(tls, http2.frame(http2.SETTINGS, 0, 0, http2.setting(4, 65535)) * 100, 200)
        elif what == "pings":
            self.forever(tls, http2.frame(http2.PING, 0, 0, b"12345678") * 100, 200)
        elif what == "continuation":
            stream.send(http2.frame(http2.HEADERS, 0, number, b"\x88"))
            self.forever(tls, http2.frame(http2.CONTINUATION, 0, number, b"\x00\x01a\x7f\x00" + b"b" * 127) * 50, 400)
        elif what == "resets":
            self.forever(tls, http2.frame(http2.RST, 0, number, struct.pack(">I", 2)) * 100, 100)
        elif what == "cut":
            stream.send(
                head(number) + http2.frame(http2.DATA, 0, number, self.pool[:16384])[: self.rng.randrange(9, 16384)]
            )
            wire.reset(tls)
        elif what == "goaway":
            stream.send(http2.frame(http2.GOAWAY, 0, 0, struct.pack(">II", 0, 11)))
        elif what == "garbage":
            stream.send(self.pool[: self.rng.randrange(1, 200000)])
        elif what == "answer":
            stream.send(head(number, http2.END_STREAM))
        self.wait(tls)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        FaultyOrigin(json.load(file)).run()
