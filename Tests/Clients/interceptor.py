"""A small interceptor, for `check` alone: what the fixtures do must be known without believing pinproof.

It is a CONNECT proxy that copies bytes, or shows a host what its `Show` says, and keeps for each connection what host
it was for, whether the handshake was completed, and how many bytes came: in TLS, on a resumed session, in clear text.
"""

import dataclasses
import socket
import ssl
import struct
import threading
import time


STARTTLS = b"STARTTLS\r\n"
# Seconds in which the threads of a client that has gone have ended, on a machine that does much else.
LINGERING = 10


@dataclasses.dataclass
class Connection:
    host: str
    finished: bool = False
    received: int = 0
    resumed: bool = False
    clear: int = 0
    error: str = ""


@dataclasses.dataclass
class Show:
    """What a host's connections meet: a chain, and how the server behaves."""

    chain: object = None
    key: object = None
    # Shown before: (chain, key) for the first connection; its sessions stay good.
    first: tuple = None
    # ("connections", 1), ("seconds", 2) or ("requests", 3): what is copied before anything is shown; ("resets", 1),
    # ("losses", 1) and ("silences", 1): how many connections are reset, cut off when they have asked, or get no answer,
    # before; ("cuts", 1): how many are closed before when they have worked; ("only", 3): all but that one are copied;
    # ("all-but", 2): that one alone is.
    after: tuple = None
    # What the first CONNECT is answered; empty: nothing.
    refusal: bytes = None
    minimum: ssl.TLSVersion = ssl.TLSVersion.TLSv1_2
    maximum: ssl.TLSVersion = ssl.TLSVersion.TLSv1_3
    ciphers: str = ""
    protocols: tuple = ("http/1.1",)
    answers: bool = True
    # No TLS at all.
    resets: bool = False
    # None either: the answer to a ClientHello is the end, and what the client says then is read.
    closes: bool = False
    # None on offer in a dialogue; what begins with it is copied.
    hides: bool = False
    resumes: bool = False
    # Where every request is sent instead.
    location: str = ""
    # Without that, what it is answered.
    status: str = "200 OK"


class Server:
    """The forged server of one host."""

    def __init__(self, show):
        self.show, self.started, self.connections, self.requests, self.asked = show, None, 0, 0, 0
        self.shared = self.context() if show.resumes else None

    def context(self):
        show = self.show
        made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        made.minimum_version, made.maximum_version = show.minimum, show.maximum
        if show.ciphers:
            made.set_ciphers(show.ciphers)
        made.load_cert_chain(*(show.first or (show.chain, show.key)))
        made.set_alpn_protocols(list(show.protocols))
        return made

    def refuses(self):
        """Counts a CONNECT; is it the one that is refused?"""
        self.asked += 1
        return self.show.refusal is not None and self.asked == 1

    def attacks(self):
        """Counts a connection; is it one that is attacked?"""
        self.connections += 1
        self.started = self.started or time.monotonic()
        kind, limit = self.show.after or ("connections", 0)
        if kind == "only":
            return self.connections == limit
        if kind == "all-but":
            return self.connections != limit
        seen = {
            "connections": self.connections - 1,
            "resets": self.connections - 1,
            "losses": self.connections - 1,
            "silences": self.connections - 1,
            "cuts": self.connections - 1,
            "seconds": time.monotonic() - self.started,
            "requests": self.requests,
        }
        return seen[kind] >= limit


class Interceptor:
    """Listens on a free port from construction to `close()`."""

    def __init__(self, origin_port, shows=None, origin_ports=None, greets=None):
        """`shows`: for each host, a Show; what is not named, and everything without it, is copied. `origin_ports`: of
        hosts that live at another port than the others; there they are known by their address, too. `greets`: and there
        the server speaks first: "mail" or "smtp"."""
        self.greets = greets
        self.origin_port, self.origin_ports = origin_port, origin_ports or {}
        self.homes = {f"127.0.0.1:{port}": host for host, port in self.origin_ports.items()}
        self.servers = {host: Server(show) for host, show in (shows or {}).items()}
        self.connections, self.threads = [], []
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        """When the client has gone: waits until what it has left behind was read, as far as that ends."""
        self.listener.close()
        deadline = time.monotonic() + LINGERING
        for thread in self.threads:
            thread.join(max(0, deadline - time.monotonic()))

    def received(self, host):
        return sum(one.received for one in self.connections if one.host == host and not one.resumed)

    def resumed(self, host):
        return sum(one.received for one in self.connections if one.host == host and one.resumed)

    def clear(self, host):
        return sum(one.clear for one in self.connections if one.host == host)

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._serve, args=(client,), daemon=True)
            self.threads.append(thread)
            thread.start()

    def _serve(self, client):
        with client:
            client.settimeout(15)
            try:
                head = b""
                while not head.endswith(b"\r\n\r\n"):
                    byte = client.recv(1)
                    if not byte:
                        return
                    head += byte
                target = head.split()[1].decode()
                if not head.startswith(b"CONNECT "):
                    self.connections.append(Connection(target.split("/")[2], clear=len(head)))
                    return
                connection = Connection(self.homes.get(target, target.rsplit(":", 1)[0]))
                self.connections.append(connection)
                server = self.servers.get(connection.host)
                if server and server.refuses():
                    client.sendall(server.show.refusal)
                    while not server.show.refusal and client.recv(65536):
                        pass
                    return
                client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
                if self.greets and connection.host in self.origin_ports:
                    if server is None:
                        return self._splice(client, server, connection)
                    if self.greets == "smtp":
                        return self._mail(client, connection, server)
                    client.sendall(b"220 ready\r\n")
                first = client.recv(1, socket.MSG_PEEK)
                if first == STARTTLS[:1]:
                    if server and server.show.hides:
                        return
                    if server is None or not server.attacks():
                        return self._splice(client, server, connection)
                    client.recv(len(STARTTLS), socket.MSG_WAITALL)
                    client.sendall(b"220 go ahead\r\n")
                    self._intercept(client, connection, server)
                elif first and first != b"\x16":
                    connection.clear = len(client.recv(65536))
                elif server is None or server.show.hides:
                    self._splice(client, server, connection)
                elif not server.attacks():
                    if server.show.after[0] == "resets":
                        reset(client)
                    else:
                        self._splice(client, server, connection)
                else:
                    self._intercept(client, connection, server)
            except OSError:
                pass

    def _mail(self, client, connection, server):
        """A dialogue with TLS on offer, or not; what is said without it, but for greetings and good-byes, is clear text."""
        if not server.show.hides and not server.attacks():
            return self._splice(client, server, connection)
        client.sendall(b"220 ready\r\n")
        lines = client.makefile("rb")
        while line := lines.readline():
            word = line.split()[0].upper() if line.strip() else b""
            if word == b"EHLO":
                client.sendall(b"250 HELP\r\n" if server.show.hides else b"250-ready\r\n250 STARTTLS\r\n")
            elif word == b"STARTTLS" and not server.show.hides:
                client.sendall(b"220 go ahead\r\n")
                return self._intercept(client, connection, server)
            elif word == b"QUIT":
                return client.sendall(b"221 good-bye\r\n")
            else:
                connection.clear += len(line)
                client.sendall(b"250 forged\r\n")

    def _splice(self, client, server, connection):
        ending = server.show.after[0] if server and server.show.after else None

        def count(length):
            # A request is longer than a Finished with SHA-384.
            if server and length > 72:
                server.requests += 1
                if ending == "losses":
                    client.shutdown(socket.SHUT_RDWR)
                while ending == "silences" and client.recv(65536):
                    pass

        with socket.create_connection(("127.0.0.1", self.origin_ports.get(connection.host, self.origin_port))) as origin:
            timers = []

            def answered(length):
                if ending == "cuts" and server.requests:
                    for timer in timers:
                        timer.cancel()
                    timers[:] = [threading.Timer(1, client.shutdown, (socket.SHUT_RDWR,))]
                    timers[0].start()

            back = threading.Thread(target=copy, args=(origin, client, answered), daemon=True)
            back.start()
            copy(client, origin, count)
            back.join(15)

    def _intercept(self, client, connection, server):
        show = server.show
        if show.resets:
            return reset(client)
        if show.closes:
            return self._close(client, connection)
        context = server.shared or server.context()
        if not server.shared:
            # A client that has left by then would make a failed handshake of one that it had finished.
            context.num_tickets = 0
        try:
            with context.wrap_socket(client, server_side=True) as tls:
                connection.finished = True
                connection.resumed = tls.session_reused
                if server.shared and show.first:
                    # From now on with another certificate. The ticket's key stays the context's own.
                    context.load_cert_chain(show.chain, show.key)
                    # What comes on the first key is no witness.
                    connection.host = f"{connection.host} (lent)" if not connection.resumed else connection.host
                while show.answers:
                    data = tls.recv(65536)
                    if not data:
                        break
                    self._asked(connection, data).received += len(data)
                    closing = b"keep-alive" not in data and not show.first
                    word = b"close" if closing else b"keep-alive"
                    status = f"302 Found\r\nLocation: {show.location}" if show.location else show.status
                    head = f"HTTP/1.1 {status}\r\nContent-Length: 7\r\nConnection: ".encode()
                    tls.sendall(head + word + b"\r\n\r\nforged\n")
                    if closing:
                        break
                if not show.answers:
                    connection.received += len(tls.recv(65536))
                    tls.recv(1)
        except (ssl.SSLError, OSError) as error:
            connection.error = str(error)


    def _close(self, client, connection):
        """Behind a ClientHello; a record (an alert, say) is nothing that could be read."""
        head = client.recv(5, socket.MSG_WAITALL)
        client.recv(int.from_bytes(head[3:5], "big"), socket.MSG_WAITALL)
        client.shutdown(socket.SHUT_WR)
        rest = b""
        while piece := client.recv(65536):
            rest += piece
            # What comes behind an alert may come together with it.
            while len(rest) >= 5 and rest[0] in range(20, 24) and len(rest) >= 5 + int.from_bytes(rest[3:5], "big"):
                rest = rest[5 + int.from_bytes(rest[3:5], "big") :]
            if rest and rest[0] not in range(20, 24):
                connection.received += len(rest)
                rest = b""

    def _asked(self, connection, data):
        """The connection, or where the request asks another host than it was opened to, one more for that host."""
        for line in data.split(b"\r\n"):
            name = line[5:].strip().decode(errors="replace")
            if line.lower().startswith(b"host:") and name.split(":")[0] != connection.host.split()[0]:
                self.connections.append(dataclasses.replace(connection, host=name.split(":")[0], received=0))
                return self.connections[-1]
        return connection


def reset(client):
    """Its end will be an RST."""
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def copy(source, sink, count=lambda length: None):
    """Copies until either side has had enough, and passes the end on. Tells of each record of application data, before
    it is passed on: an answer cannot be faster than what is done about its request."""
    waiting = b""
    try:
        while piece := source.recv(65536):
            waiting += piece
            while len(waiting) >= 5 and len(waiting) >= 5 + int.from_bytes(waiting[3:5], "big"):
                length = int.from_bytes(waiting[3:5], "big")
                if waiting[0] == 23:
                    count(length)
                waiting = waiting[5 + length :]
            sink.sendall(piece)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass
