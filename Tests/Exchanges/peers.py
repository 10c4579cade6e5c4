"""The proxy as a process, with origins and clients of a test's own around it, in the clear and over TLS."""

import json
import os
import pathlib
import pty
import socket
import ssl
import struct
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
LIMIT = 30


def make_pki(folder, names):
    """root.pem, and a chain and a key for each name."""
    subprocess.run([HERE.parent / "Clients/origin/mkpki", folder, *names], check=True, stdout=subprocess.DEVNULL)


def wait_for(condition, limit=LIMIT):
    """What `condition` gives once that is true of anything; None after `limit` seconds."""
    deadline = time.monotonic() + limit
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > deadline:
            return None
        time.sleep(0.01)


class Origin:
    """Hands each connection to `serve`, on a thread of its own; with `name` after a TLS handshake as that."""

    def __init__(self, serve, pki=None, name=None, alpn=("http/1.1",), change=lambda context: None):
        self.serve, self.context = serve, None
        if name:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(f"{pki}/{name}.chain.pem", f"{pki}/{name}.key")
            self.context.set_alpn_protocols(list(alpn))
            change(self.context)
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            client, _ = self.listener.accept()
            threading.Thread(target=self._one, args=(client,), daemon=True).start()

    def _one(self, client):
        client.settimeout(LIMIT)
        peer = client
        try:
            if self.context:
                peer = self.context.wrap_socket(client, server_side=True, do_handshake_on_connect=False)
                self._shake_hands(peer)
            self.serve(peer)
        except (OSError, ssl.SSLError):
            pass  # Clients are meant to misbehave.
        finally:
            peer.close()

    def _shake_hands(self, peer):
        try:
            peer.do_handshake()
        except ssl.SSLError:
            # What was asked behind the handshake and nobody reads makes a close a reset, which may overtake the alert.
            peer.shutdown(socket.SHUT_WR)
            while peer.recv(4096):
                pass
            raise


class Proxy:
    """`pinproof proxy`, recording; its standard error is a terminal, and `said` what was shown there."""

    def __init__(self, pinproof, folder, profile, *options):
        self.pinproof, self.folder = pinproof, pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.store = self.folder / "flows.db"
        self.environment = {**os.environ, "PINPROOF_HOME": str(self.folder / "home")}
        path, ready = self.folder / "profile.yaml", self.folder / "ready.json"
        path.write_text(profile)
        # Of a start before this one.
        ready.unlink(missing_ok=True)
        master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [pinproof, "proxy", path, "--listen", "127.0.0.1:0", "--ready-file", ready,
             *(() if "--ui" in options else ("--no-ui",)),
             *(() if "--no-store" in options else ("--store", self.store)), *options],
            env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=slave,
        )
        os.close(slave)
        self._said, self._lock = b"", threading.Lock()
        self._reader = threading.Thread(target=self._listen, args=(master,), daemon=True)
        self._reader.start()
        if not wait_for(lambda: ready.exists() or self.process.poll() is not None) or not ready.exists():
            sys.exit("the proxy did not start:\n" + self.said)
        told = json.loads(ready.read_text())
        host, port = told["proxy"].split("//")[1].rsplit(":", 1)
        self.address, self.ca = (host, int(port.rstrip("/"))), told["ca"]
        self.page, self.token = told.get("ui"), told.get("token")

    def _listen(self, master):
        while True:
            try:
                piece = os.read(master, 65536)
            except OSError:  # Linux's way to say that the other end is closed.
                return
            if not piece:
                return
            with self._lock:
                self._said += piece

    @property
    def said(self):
        with self._lock:
            return self._said.decode().replace("\r\n", "\n")

    def run(self, *arguments):
        return subprocess.run(
            [self.pinproof, *map(str, arguments), "--store", str(self.store)],
            env=self.environment, stdin=subprocess.DEVNULL, capture_output=True,
        )

    def flows(self, *filters):
        """As another process sees them."""
        done = self.run("flows", "list", "--json", *filters)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def connect(self, target, head=""):
        """A socket behind whose CONNECT anything may follow, and the proxy's answer."""
        raw = socket.create_connection(self.address)
        raw.settimeout(LIMIT)
        raw.sendall(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n{head}\r\n".encode())
        answer = b""
        while not answer.endswith(b"\r\n\r\n"):
            piece = raw.recv(1)
            if not piece:
                break
            answer += piece
        return raw, answer.decode("latin-1")

    def client(self, host, alpn=("http/1.1",), trusting=None, change=lambda context: None):
        """A TLS client, its handshake done."""
        raw, answer = self.connect(f"{host}:443")
        if " 200 " not in answer:
            raise ConnectionError(answer)
        context = ssl.create_default_context(cafile=trusting or self.ca)
        context.set_alpn_protocols(list(alpn))
        change(context)
        return context.wrap_socket(raw, server_hostname=host)

    def close(self):
        """Ends it as Ctrl-C does; what it said to the end is in `said`."""
        if self.process.poll() is None:
            self.process.send_signal(2)
        self.process.wait(LIMIT)
        self._reader.join(LIMIT)


def reset(peer):
    """Closes without a good-bye, as the kernel does for a process that was killed in the middle."""
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    os.close(peer.detach())


def read_head(peer):
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        piece = peer.recv(1)
        if not piece:
            raise ConnectionError("closed in a head")
        head += piece
    return head
