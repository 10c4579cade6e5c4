"""Certificates for the origins: a private root, an honest leaf, and leaves that nobody should have."""

import pathlib
import subprocess

# Names that the profile leads to this machine; `*.example.test` covers all of them, and any other that a client names.
ORIGIN, FAULTY = "origin.example.test", "faulty.example.test"
CA = "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\n"
LEAF = "basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=serverAuth\n"
IDENTIFIERS = "subjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\n"
CHAIN_LENGTH = 100


class PKI:
    """Makes certificates with the openssl command in `folder`; one P-256 key serves them all."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.key = self.folder / "key.pem"
        self._run("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", self.key)
        self.root = self._issue("root", None, CA + "subjectKeyIdentifier=hash\n")
        names = "subjectAltName=DNS:*.example.test,DNS:example.test,DNS:*.localhost,IP:127.0.0.1\n"
        leaf = self._issue("leaf", "root", LEAF + IDENTIFIERS + names)
        self.honest = leaf

    def with_names(self, count):
        """A leaf with so many names."""
        names = ",".join(["DNS:*.example.test", *(f"DNS:n{n}.names.example.test" for n in range(count))])
        return self._issue(f"names{count}", "root", LEAF + IDENTIFIERS + f"subjectAltName={names}\n")

    def long_chain(self):
        """A leaf below CHAIN_LENGTH issuers; all are in the file, the leaf first."""
        above, files = "root", []
        for number in range(CHAIN_LENGTH):
            files.insert(0, self._issue(f"issuer{number}", above, CA + IDENTIFIERS))
            above = f"issuer{number}"
        files.insert(0, self._issue("deep", above, LEAF + IDENTIFIERS + "subjectAltName=DNS:*.example.test\n"))
        chain = self.folder / "deep.chain.pem"
        chain.write_text("".join(file.read_text() for file in files))
        return chain

    def _issue(self, name, issuer, extensions):
        extension_file, out = self.folder / f"{name}.ext", self.folder / f"{name}.pem"
        extension_file.write_text(extensions)
        request = self._run("req", "-new", "-key", self.key, "-subj", f"/O=pinproof soak/CN={name}")
        signer = ("-CA", self.folder / f"{issuer}.pem", "-CAkey", self.key) if issuer else ("-signkey", self.key)
        number = 0x4000_0000_0000_0000 + sum(1 for _ in self.folder.iterdir())
        self._run(
            "x509",
            "-req",
            *signer,
            "-set_serial",
            hex(number),
            "-days",
            "30",
            "-sha256",
            "-extfile",
            extension_file,
            "-out",
            out,
            input=request,
        )
        return out

    @staticmethod
    def _run(*words, input=None):
        words = ["openssl", *map(str, words)]
        return subprocess.run(words, input=input, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout
