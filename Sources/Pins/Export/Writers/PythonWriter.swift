/// Python that compares the leaf, or its key.
///
/// It does so after the handshake, and before the first byte of a request.
enum PythonWriter {
    static func text(_ hosts: [DeclaredHost], _ notes: [String]) -> String {
        var out = ExportComment.lines(notes, "#")
        out += """
            import base64
            import hashlib
            import http.client
            import ssl

            from cryptography import x509
            from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

            # An exact name comes before "*." (one label), and that before "**." (any depth). An empty list: not pinned.
            PINS = {

            """
        for host in hosts {
            let pins = host.pinNames.map { "\"\($0)\"" }.joined(separator: ", ")
            for pattern in host.patterns { out += "    \"\(pattern)\": [\(pins)],\n" }
        }
        return out + """
            }


            def pins_of(host):
                host = host.lower().rstrip(".")
                if host in PINS:
                    return PINS[host]
                labels = host.split(".")
                for depth in range(1, len(labels)):
                    parent = ".".join(labels[depth:])
                    if depth == 1 and "*." + parent in PINS:
                        return PINS["*." + parent]
                    if "**." + parent in PINS:
                        return PINS["**." + parent]
                return []


            def check_pins(connection):
                \"\"\"Of an ssl.SSLSocket, once its handshake is over. Its context verifies chain and name, as it does by default.\"\"\"
                wanted = pins_of(connection.server_hostname)
                if not wanted:
                    return
                certificate = connection.getpeercert(binary_form=True)
                key = x509.load_der_x509_certificate(certificate).public_key()
                spki = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
                found = {
                    "sha256/" + base64.b64encode(hashlib.sha256(spki).digest()).decode(),
                    "certificate-sha256/" + hashlib.sha256(certificate).hexdigest(),
                }
                if found.isdisjoint(wanted):
                    raise ssl.SSLCertVerificationError(f"no pin of {connection.server_hostname} matches")


            class PinnedConnection(http.client.HTTPSConnection):
                def connect(self):
                    super().connect()
                    try:
                        check_pins(self.sock)
                    except BaseException:
                        self.close()
                        raise

            """
    }
}
