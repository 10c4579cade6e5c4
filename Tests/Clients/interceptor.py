"""A small interceptor, for `check` alone: what the fixtures do must be known without believing pinproof.

It is a CONNECT proxy that copies bytes (`passthrough`) or shows one chain to everybody (any other phase), and keeps
for each connection what host it was for, whether the handshake was completed, and how many bytes came.
"""

import dataclasses
import socket
import ssl
import threading


@dataclasses.dataclass
class Connection:
    host: str
    finished: bool = False
    received: int = 0
    error: str = ""


class Interceptor:
    """Listens on a free port from construction to `close()`."""

    def __init__(self, origin_port, chains=None):
        """`chains`: for each host, (certificate file, key file) to present; None: passthrough."""
        self.origin_port = origin_port
        self.chains = chains
        self.connections = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self.listener.close()

    def received(self, host):
        return sum(one.received for one in self.connections if one.host == host)

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

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
                host = head.split()[1].decode().rsplit(":", 1)[0]
                connection = Connection(host)
                self.connections.append(connection)
                client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
                if self.chains is None:
                    self._splice(client)
                else:
                    self._intercept(client, connection)
            except OSError:
                pass

    def _splice(self, client):
        with socket.create_connection(("127.0.0.1", self.origin_port)) as origin:
            back = threading.Thread(target=copy, args=(origin, client), daemon=True)
            back.start()
            copy(client, origin)
            back.join(15)

    def _intercept(self, client, connection):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*self.chains[connection.host])
        context.set_alpn_protocols(["http/1.1"])
        try:
            with context.wrap_socket(client, server_side=True) as tls:
                connection.finished = True
                connection.received += len(tls.recv(65536))
                if connection.received:
                    tls.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\nConnection: close\r\n\r\nforged\n")
        except (ssl.SSLError, OSError) as error:
            connection.error = str(error)


def copy(source, sink):
    """Copies until either side has had enough, and passes the end on."""
    try:
        while piece := source.recv(65536):
            sink.sendall(piece)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass
