"""What every suite needs: certificates, free ports, child processes, nginx, and pinproof with its API."""

import contextlib
import json
import os
import pathlib
import socket
import struct
import subprocess
import threading
import time
import urllib.parse
import urllib.request

NAMES = ("rsa.test", "ecdsa.test", "echo.test")
WAIT = 20


class Failure(Exception):
    """Something without which nothing can be said: a program that is missing, or one that did not start."""


def free_port():
    """A loopback port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def until(what, condition, seconds=WAIT):
    """Waits until `condition()` is true and returns what it returned; `what` is said where it never is."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(OSError, ValueError):
            if found := condition():
                return found
        time.sleep(0.05)
    raise Failure(f"{what}: not within {seconds} s")


def listens(port):
    """Whether somebody takes connections on a loopback port."""
    socket.create_connection(("127.0.0.1", port), 1).close()
    return True


class Children:
    """Processes that end with us, whatever happens."""

    def __init__(self, folder):
        self.folder, self.running = folder, []

    def start(self, name, command, **options):
        log = open(self.folder / f"{name}.log", "ab")
        environment = dict(os.environ, PINPROOF_HOME=str(self.folder / "home"))
        child = subprocess.Popen(
            [str(word) for word in command], stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment, **options
        )
        self.running.append(child)
        return child

    def stop(self, child):
        child.terminate()
        try:
            child.wait(10)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        self.running.remove(child)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for child in reversed(list(self.running)):
            self.stop(child)


def openssl(*words, folder):
    done = subprocess.run(["openssl", *map(str, words)], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise Failure(f"openssl {words[0]}: {done.stderr.strip()}")


def make_certificates(folder):
    """For each name a root, a leaf signed by it, and a CA to forge with, all with keys of the kind that the name says.

    NAME.root.pem, NAME.leaf, NAME.pem (leaf and root), NAME.key, NAME.forge.pem, NAME.forge.key; roots.pem has all roots.
    """
    for name in NAMES:
        kind = ("ec", "-pkeyopt", "ec_paramgen_curve:P-256") if name.startswith("ec") and name != "echo.test" else ("rsa:2048",)
        for role in ("root", "forge"):
            openssl("req", "-x509", "-newkey", *kind, "-nodes", "-days", 30, "-subj", f"/CN=Conformance {role} {kind[0]}",
                    "-addext", "keyUsage=critical,keyCertSign,cRLSign", "-keyout", f"{name}.{role}.key",
                    "-out", f"{name}.{role}.pem", folder=folder)  # fmt: skip
        (folder / f"{name}.ext").write_text(f"subjectAltName=DNS:{name}\nextendedKeyUsage=serverAuth\n")
        openssl("req", "-new", "-newkey", *kind, "-nodes", "-subj", f"/CN={name}", "-keyout", f"{name}.key",
                "-out", f"{name}.csr", folder=folder)  # fmt: skip
        openssl("x509", "-req", "-in", f"{name}.csr", "-CA", f"{name}.root.pem", "-CAkey", f"{name}.root.key",
                "-CAcreateserial", "-days", 20, "-extfile", f"{name}.ext", "-out", f"{name}.leaf", folder=folder)  # fmt: skip
        chain = [(folder / f"{name}.{part}").read_text() for part in ("leaf", "root.pem")]
        (folder / f"{name}.pem").write_text("".join(chain))
    (folder / "roots.pem").write_text("".join((folder / f"{name}.root.pem").read_text() for name in NAMES))


class Proxy:
    """A running `pinproof proxy`, and the questions that can be put to its API."""

    def __init__(self, children, program, folder, resolve, name="ecdsa.test", options=()):
        self.store, self.folder = folder / f"{name}.db", folder
        ready, profile = folder / f"{name}.json", folder / f"{name}.yaml"
        options = ["--ca-cert", folder / f"{name}.forge.pem", "--ca-key", folder / f"{name}.forge.key", *options]
        lines = "".join(f"  {name}: 127.0.0.1:{port}\n" for name, port in resolve.items())
        profile.write_text(f"version: 1\nothers: accept\nresolve:\n{lines}upstream:\n  roots: [roots.pem]\n")
        ready.unlink(missing_ok=True)
        command = [program, "proxy", profile, "--listen", "127.0.0.1:0", "--ui", "127.0.0.1:0", "--ready-file", ready]
        self.child = children.start(f"pinproof-{name}", [*command, "--store", self.store, *options])
        said = until("pinproof proxy", lambda: ready.exists() and self._ready(ready))
        self.port = urllib.parse.urlsplit(said["proxy"]).port
        self.page, self.token = said["ui"], said["token"]

    def _ready(self, ready):
        if self.child.poll() is not None:
            raise Failure(f"pinproof ended with status {self.child.returncode}: see pinproof.log")
        return json.loads(ready.read_text())

    def ask(self, path):
        """The API's answer to GET `path`, as bytes."""
        asked = urllib.request.Request(urllib.parse.urljoin(self.page, path), headers={"Authorization": f"Bearer {self.token}"})
        with urllib.request.urlopen(asked, timeout=60) as answer:
            return answer.read()

    def count(self, filter_text):
        return json.loads(self.ask("/api/index?" + urllib.parse.urlencode({"filter": filter_text})))["count"]

    def flows(self, filter_text, limit=1000):
        query = urllib.parse.urlencode({"filter": filter_text, "limit": limit, "order": "asc"})
        return json.loads(self.ask(f"/api/flows?{query}"))["flows"]

    def status(self):
        return json.loads(self.ask("/api/status"))

    def settled(self, filter_text, wanted, seconds=WAIT):
        """The number of matching flows, as soon as it is `wanted` or after `seconds`."""
        with contextlib.suppress(Failure):
            until("", lambda: self.count(filter_text) >= wanted, seconds)
        return self.count(filter_text)


def start_nginx(children, folder, text):
    """nginx with a configuration whose {folder} and ports are filled in already."""
    (folder / "nginx.conf").write_text(text)
    command = ["nginx", "-p", folder, "-c", folder / "nginx.conf", "-e", folder / "nginx-errors.log"]
    return children.start("nginx", command)


class Adapter:
    """A loopback port for programs that know no proxies: each connection goes through the proxy by CONNECT, byte by byte.

    An end of one side's sending becomes one of the other's, and a reset a reset.
    """

    def __init__(self, proxy_port, target):
        self.proxy_port, self.target = proxy_port, target
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        try:
            proxy = connect(self.proxy_port, self.target)
        except (OSError, Failure):
            reset(client)
            return
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        back = threading.Thread(target=relay, args=(proxy, client), daemon=True)
        back.start()
        relay(client, proxy)
        back.join()
        client.close()
        proxy.close()

    def close(self):
        self.listener.close()


def connect(proxy_port, target):
    """A socket that has asked the proxy for `target` ("host:port") and got a 200."""
    made = socket.create_connection(("127.0.0.1", proxy_port), WAIT)
    made.settimeout(None)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    made.sendall(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n".encode())
    head = b""
    while b"\r\n\r\n" not in head:
        byte = made.recv(1)
        if not byte:
            raise Failure(f"CONNECT {target}: closed after {head!r}")
        head += byte
    if b" 200 " not in head.split(b"\r\n")[0] + b" ":
        raise Failure(f"CONNECT {target}: {head!r}")
    return made


def reset(end):
    """Closes a socket with a reset."""
    with contextlib.suppress(OSError):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        end.shutdown(socket.SHUT_RD)
    end.close()


def relay(source, sink):
    """Moves bytes one way until the source ends; a reset of the source resets the sink."""
    try:
        while piece := source.recv(65536):
            sink.sendall(piece)
        sink.shutdown(socket.SHUT_WR)
    except ConnectionResetError:
        reset(sink)
    except OSError:
        pass


def make_folder(root):
    folder = pathlib.Path(root)
    folder.mkdir(parents=True, exist_ok=True)
    return folder.resolve()
