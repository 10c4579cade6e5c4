"""Faulty clients, and clients of faulty origins: whatever a proxy may meet, all the time, until SIGTERM.

faults.py CONFIG NUMBER     faults-NUMBER.json in the folder counts what was done
"""

import json
import os
import random
import signal
import socket
import ssl
import sys
import threading
import time

import pki
import wire
from asking import HUNG, Asking, Hung
from floods import Floods
from lasting import Lasting

THREADS = 8
SLOW_READERS = 4
PAUSE = 0.15
# Each of these makes as many flows as seconds of honest load: more often, and of nothing else would much be recorded.
RARE = {
    "do_h2_rapid_reset": 0.05,
    "do_h2_streams": 0.05,
    "do_h2_hpack_bomb": 0.5,
    "do_flood_requests": 0.2,
    "do_flood_silent": 0.2,
}
CRLF = b"\r\n"


class Faults(Asking, Floods, Lasting):
    """One thread's work. Each method whose name begins with `do_` is a kind of fault."""

    def __init__(self, config, number):
        self.config, self.proxy, self.ports = config, config["proxy"], config["ports"]
        self.rng = random.Random(f"{config['seed']}/faults/{number}")
        self.kinds = [name for name in dir(self) if name.startswith("do_")]
        self.context = ssl.create_default_context(cafile=config["ca"])
        self.context.set_alpn_protocols(["http/1.1"])
        self.context2 = ssl.create_default_context(cafile=config["ca"])
        self.context2.set_alpn_protocols(["h2"])
        self.hosts = 0
        self.number = number

    # MARK: Ways

    def raw(self, limit=20):
        return wire.reach(self.proxy, limit)

    def tunnel(self, port="faulty", host=None, limit=20):
        return wire.open_route(self.proxy, self.rng.choice(wire.ROUTES), host or pki.FAULTY, self.ports[port], limit)

    def tls(self, port="faulty", host=None, limit=20, h2=False):
        sock = self.tunnel(port, host, limit)
        try:
            return (self.context2 if h2 else self.context).wrap_socket(sock, server_hostname=host or pki.FAULTY)
        except BaseException:
            sock.close()
            raise

    def hello(self, host=pki.FAULTY):
        """A ClientHello, and the session that it began."""
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        session = self.context.wrap_bio(incoming, outgoing, server_hostname=host)
        try:
            session.do_handshake()
        except ssl.SSLWantReadError:
            pass
        return outgoing.read(), session, incoming, outgoing

    @staticmethod
    def get(path, host=pki.FAULTY, more=b""):
        return f"GET {path} HTTP/1.1\r\nHost: {host}\r\n".encode() + more + CRLF

    @staticmethod
    def read_all(sock, limit=1 << 25, pause=0):
        total = 0
        while total < limit:
            piece = sock.recv(65536)
            if not piece:
                break
            total += len(piece)
            time.sleep(pause)

    def end(self, sock):
        """Some close, some reset."""
        wire.reset(sock) if self.rng.random() < 0.5 else sock.close()

    def ask(self, path, port="faulty", limit=20, host=None):
        """Asks a faulty origin for something, and reads what comes."""
        tls = self.tls(port, host, limit)
        try:
            tls.sendall(self.get(path))
            self.read_all(tls)
        finally:
            self.end(tls)

    # MARK: Before TLS

    def do_reset_in_connect(self):
        sock = self.raw()
        sock.sendall(f"CONNECT {pki.FAULTY}:{self.ports['faulty']} HTTP/1.1\r\nHo".encode())
        wire.reset(sock)

    def do_dribbled_connect(self):
        sock = self.raw()
        for byte in f"CONNECT {pki.FAULTY}:{self.ports['faulty']} HTTP/1.1\r\n\r\n".encode():
            sock.sendall(bytes((byte,)))
            time.sleep(0.02)
        self.end(sock)

    def do_garbage_first(self):
        sock = self.raw(5)
        sock.sendall(self.rng.randbytes(self.rng.randrange(1, 70000)))
        sock.shutdown(socket.SHUT_WR)
        self.read_all(sock)
        sock.close()

    def do_socks_garbage(self):
        sock = self.raw(3)
        sock.sendall(b"\x05" + self.rng.randbytes(self.rng.randrange(1, 600)))
        try:
            self.read_all(sock)
        finally:
            self.end(sock)

    def do_long_host(self):
        host = self.rng.choice(
            ("a" * 255, ".".join(["a" * 63] * 4)[:255], "a" * 63 + ".example.test", "\xff\0." * 40, "a.." * 85)
        )
        sock = self.raw()
        sock.sendall(f"CONNECT {host}:443 HTTP/1.1\r\nHost: {host}\r\n\r\n".encode("latin-1"))
        self.read_all(sock)
        sock.close()

    def do_long_url(self):
        path = "/" + "u" * 100_000
        if self.rng.random() < 0.5:
            sock = self.raw()
            sock.sendall(self.get(f"http://{pki.FAULTY}:{self.ports['faulty']}{path}"))
        else:
            sock = self.tls()
            sock.sendall(self.get(path))
        self.read_all(sock)
        sock.close()

    def do_long_header(self):
        sock = self.tls()
        sock.sendall(self.get("/", more=b"X-Long: " + b"h" * 65536 + CRLF))
        self.read_all(sock, 1)
        sock.close()

    def do_unreachable(self):
        self.tls(self.rng.choice(("refused", "silent")), limit=3).close()

    # MARK: The handshake

    def do_reset_in_hello(self):
        sock = self.tunnel()
        hello = self.hello()[0]
        sock.sendall(hello[: self.rng.randrange(1, len(hello))])
        wire.reset(sock)

    def do_reset_in_handshake(self):
        sock = self.tunnel()
        sock.sendall(self.hello()[0])
        sock.recv(self.rng.randrange(1, 4096))
        wire.reset(sock)

    def do_half_close_in_handshake(self):
        sock = self.tunnel(limit=8)
        sock.sendall(self.hello()[0])
        sock.shutdown(socket.SHUT_WR)
        self.read_all(sock)
        sock.close()

    def do_dribbled_hello(self):
        sock = self.tunnel()
        for byte in self.hello()[0][:400]:
            sock.sendall(bytes((byte,)))
            time.sleep(0.02)
        self.end(sock)

    def do_garbage_for_hello(self):
        sock = self.tunnel(limit=4)
        try:
            hello = bytearray(self.hello()[0])
            for _ in range(self.rng.randrange(1, 30)):
                hello[self.rng.randrange(3, len(hello))] = self.rng.randrange(256)
            sock.sendall(hello)
            self.read_all(sock)
        finally:
            self.end(sock)

    def do_refused_certificate(self):
        """A client that trusts nobody, or pins."""
        context = ssl.create_default_context()
        sock = self.tunnel()
        try:
            context.wrap_socket(sock, server_hostname=pki.FAULTY)
        finally:
            sock.close()

    def do_closed_after_handshake(self):
        self.end(self.tls())

    # MARK: In the middle

    def do_reset_mid_record(self):
        tls = self.tls()
        sock = socket.socket(fileno=tls.detach())
        sock.sendall(b"\x17\x03\x03\x10\x00" + self.rng.randbytes(self.rng.randrange(1, 4000)))
        wire.reset(sock)

    def do_garbage_on_tls(self):
        tls = self.tls()
        sock = socket.socket(fileno=tls.detach())
        sock.settimeout(5)
        sock.sendall(self.rng.randbytes(30000))
        self.read_all(sock)
        sock.close()

    def do_garbage_in_tls(self):
        tls = self.tls(h2=self.rng.random() < 0.3)
        tls.sendall(self.rng.randbytes(self.rng.randrange(1, 100000)))
        self.end(tls)

    def do_reset_mid_body(self):
        tls = self.tls()
        tls.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 500000\r\n\r\n" + bytes(self.rng.randrange(400000)))
        wire.reset(tls)

    def do_reset_mid_answer(self):
        tls = self.tls()
        tls.sendall(self.get("/big"))
        tls.recv(65536)
        wire.reset(tls)

    def do_half_close(self):
        tls = self.tls(limit=6)
        tls.sendall(self.get(self.rng.choice(("/", "/half-close", "/no-notify"))))
        tls.shutdown(socket.SHUT_WR) if self.rng.random() < 0.5 else None
        self.read_all(tls)
        tls.close()

    def do_unread_upload(self):
        tls = self.tls(limit=6)
        try:
            tls.sendall(b"POST /unread HTTP/1.1\r\nHost: x\r\nContent-Length: 8000000\r\n\r\n")
            for _ in range(122):
                tls.sendall(bytes(65536))
        finally:
            self.end(tls)

    def do_new_host(self):
        """A name that was never seen: a chain is forged for it."""
        self.hosts += 1
        host = f"n{self.hosts}-{self.number.replace('.', '-')}.example.test"
        sock = wire.open_route(
            self.proxy, self.rng.choice(("connect-address", "socks-address")), host, self.ports["faulty"], 20
        )
        tls = self.context.wrap_socket(sock, server_hostname=host)
        tls.sendall(self.get("/", host))
        tls.recv(100)
        tls.close()

    # MARK: The work

    def run(self, counts):
        while True:
            name = self.rng.choices(self.kinds, [RARE.get(kind, 1) for kind in self.kinds])[0]
            began, outcome = time.monotonic(), name[3:].replace("_", "-")
            try:
                getattr(self, name)()
            except Hung:
                counts[HUNG] = counts.get(HUNG, 0) + 1
            except (OSError, ValueError):
                pass  # That is what they are for.
            counts[outcome] = counts.get(outcome, 0) + 1
            seconds = "longest " + outcome
            counts[seconds] = max(counts.get(seconds, 0), round(time.monotonic() - began, 1))
            time.sleep(self.rng.uniform(0, 2 * PAUSE))


def main():
    with open(sys.argv[1]) as file:
        config = json.load(file)
    number = sys.argv[2]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    counts = []

    def start(work):
        counts.append({})
        faults = Faults(config, f"{number}.{len(counts)}")
        threading.Thread(target=getattr(faults, work), args=(counts[-1],), daemon=True).start()

    for work in ["run"] * THREADS + ["slow_reader"] * SLOW_READERS + ["standing"]:
        start(work)
    path = f"{config['folder']}/faults-{number}.json"
    while True:
        time.sleep(2)
        total = {}
        for one in counts:
            for name, count in list(one.items()):
                total[name] = (
                    max(total.get(name, 0), count) if name.startswith("longest") else total.get(name, 0) + count
                )
        with open(path + ".new", "w") as file:
            json.dump(total, file)
        os.rename(path + ".new", path)


if __name__ == "__main__":
    main()
