"""The honest origin: answers as each request's own path asks, and checks every byte that it is sent.

origin.py CONFIG NUMBER     listens on the sockets that were handed down
"""

import json
import os
import random
import socket
import ssl
import struct
import sys
import threading
import urllib.parse

import http2
import websocket
import wire

STATUS_WORDS = {200: "OK", 201: "Created", 204: "No Content", 304: "Not Modified", 404: "Not Found", 503: "Busy"}


class Exchange:
    """What a path asks for: /x/ID?d=SIZE&f=FLAGS&s=STATUS.

    Flags: c an answer in chunks, z a gzipped one, t text in both directions, u a gzipped upload.
    """

    def __init__(self, path, content):
        place, _, query = path.partition("?")
        asked = dict(urllib.parse.parse_qsl(query))
        self.name = place.rsplit("/", 1)[1]
        self.size, self.flags, self.status = int(asked["d"]), asked["f"], int(asked["s"])
        self.content = content

    def upload(self, size):
        """The upload of which `size` bytes were to come, before any coding."""
        return self.content.body(self.name, "up", size, "t" in self.flags)

    def answer(self):
        """The answer's body, before any coding."""
        return self.content.body(self.name, "down", self.size, "t" in self.flags)

    def fields(self, body):
        found = [
            ("x-id", self.name),
            ("content-type", "text/plain" if "t" in self.flags else "application/octet-stream"),
        ]
        if "z" in self.flags:
            found.append(("content-encoding", "gzip"))
        return found


class Origin:
    """Serves HTTP/1.1, HTTP/2 and WebSockets, and echoes what is none of these."""

    def __init__(self, config, number):
        self.config = config
        self.content = wire.Content(config["seed"])
        self.log = os.open(f"{config['folder']}/origin-{number}.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(config["honest"], config["key"])
        self.context.set_alpn_protocols(["h2", "http/1.1"])

    def run(self):
        for name, serve in (
            ("tls", self.tls),
            ("plain", self.http1),
            ("echo", self.echo),
            ("banner", self.banner),
            ("tls-echo", self.tls_echo),
        ):
            listener = socket.socket(fileno=self.config["sockets"][name])
            threading.Thread(target=self._accept, args=(listener, serve), daemon=True).start()
        threading.Event().wait()

    def _accept(self, listener, serve):
        while True:
            try:
                sock, _ = listener.accept()
            except OSError:
                continue
            threading.Thread(target=self._one, args=(sock, serve), daemon=True).start()

    def _one(self, sock, serve):
        try:
            sock.settimeout(300)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            serve(sock)
        except (OSError, ValueError, KeyError, IndexError) as error:
            # Clients that are ended in the middle are no news; what is wrong with a request is told by `note`.
            if not isinstance(error, OSError):
                self.note(f"? {type(error).__name__} {error}")
        finally:
            sock.close()

    def note(self, line):
        os.write(self.log, f"{line}\n".encode())

    # MARK: Protocols

    def tls(self, sock):
        tls = self.context.wrap_socket(sock, server_side=True)
        try:
            self.http2(tls) if tls.selected_alpn_protocol() == "h2" else self.http1(tls)
        finally:
            tls.close()

    def tls_echo(self, sock):
        tls = self.context.wrap_socket(sock, server_side=True)
        try:
            self.echo(tls)
        finally:
            tls.close()

    def banner(self, sock):
        sock.sendall(b"* OK soak ready\r\n")
        self.echo(sock)

    def echo(self, sock):
        """Messages with their length before them come back; the first one is the id."""
        stream = wire.Stream(sock)
        while True:
            head = stream.take(5)
            data = stream.take(struct.unpack(">I", head[1:])[0])
            stream.send(head + data)

    def http1(self, sock):
        stream = wire.Stream(sock)
        while True:
            found = stream.head()
            if found is None:
                return
            line, fields = found
            method, target, _ = line.split(" ")
            path = "/" + target.split("://")[1].partition("/")[2] if "://" in target else target
            if path.startswith("/ws/"):
                return self.websocket(stream, path, fields)
            status, exchange, body = self.answer(method, path, fields, stream.body(fields))
            stream.send(self._head1(method, status, exchange, body))
            if fields.get("connection") == "close":
                return

    def _head1(self, method, status, exchange, body):
        fields = exchange.fields(body)
        if status in (204, 304) or method == "HEAD":
            body = b""
        elif "c" in exchange.flags:
            fields.append(("Transfer-Encoding", "chunked"))
            body = wire.chunks(body, random.Random(exchange.name))
        else:
            fields.append(("Content-Length", str(len(body))))
        head = "".join(f"{name}: {value}\r\n" for name, value in fields)
        return f"HTTP/1.1 {status} {STATUS_WORDS.get(status, 'Soak')}\r\n{head}\r\n".encode() + body

    def http2(self, sock):
        stream = wire.Stream(sock)
        if stream.take(len(http2.PREFACE)) != http2.PREFACE:
            raise ValueError("no preface")
        stream.send(http2.opening())
        connection = http2.Connection(stream)
        while True:
            whole = connection.receive()
            if whole is None:
                continue
            number, fields, upload = whole
            status, exchange, body = self.answer(fields[":method"], fields[":path"], fields, upload)
            block = connection.encoder.block([(":status", str(status)), *exchange.fields(body)])
            is_empty = not body or fields[":method"] == "HEAD" or status in (204, 304)
            flags = http2.END_HEADERS | (http2.END_STREAM if is_empty else 0)
            out = http2.frame(http2.HEADERS, flags, number, block)
            stream.send(out if is_empty else out + http2.data_frames(number, body, random.Random(exchange.name)))

    def websocket(self, stream, path, fields):
        accept = websocket.accept_for(fields["sec-websocket-key"])
        stream.send(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + f"Sec-WebSocket-Accept: {accept}\r\n\r\n".encode()
        )
        self.note(path.rsplit("/", 1)[1])
        while True:
            kind, data = websocket.read_message(stream)
            stream.send(websocket.frame(websocket.PONG if kind == websocket.PING else kind, data))
            if kind == websocket.CLOSE:
                return

    def answer(self, method, path, fields, upload):
        """Checks a request; its status, what it asked for and the answer's body as it goes out."""
        exchange = Exchange(path, self.content)
        size = int(fields.get("x-up", "0"))
        expected = exchange.upload(size)
        if "u" in exchange.flags and size:
            expected = wire.gzipped(expected)
        status = exchange.status
        if upload != expected:
            self.note(
                f"! {exchange.name} {method}: {len(upload)} bytes that are not the {len(expected)} that were sent"
            )
            status = 555
        self.note(exchange.name)
        body = exchange.answer()
        return status, exchange, wire.gzipped(body) if "z" in exchange.flags else body


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        Origin(json.load(file), sys.argv[2]).run()
