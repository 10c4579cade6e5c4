"""Forged chains for `check`: written without pinproof, so that the two can be wrong in different ways.

A certificate is the honest forged leaf taken apart, changed in what the attack is about, and signed again by openssl.
"""

import base64
import copy
import datetime
import os
import pathlib
import subprocess

from der import Certificate, encode, items

WITH_SHA256 = bytes.fromhex("300a06082a8648ce3d040302")  # ecdsa-with-SHA256
WITH_SHA1 = bytes.fromhex("300906072a8648ce3d0401")
RSA_WITH_MD5 = bytes.fromhex("300d06092a864886f70d0101040500")


def openssl(*words, data=None):
    done = subprocess.run(["openssl", *map(str, words)], input=data, capture_output=True)
    if done.returncode:
        raise RuntimeError(f"openssl {words[0]}: {done.stderr.decode()}")
    return done.stdout


def pem(der):
    return b"-----BEGIN CERTIFICATE-----\n" + base64.encodebytes(der) + b"-----END CERTIFICATE-----\n"


def ders(*files):
    """Every certificate of some PEM files."""
    found = []
    for file in files:
        for part in pathlib.Path(file).read_text().split("-----BEGIN CERTIFICATE-----")[1:]:
            found.append(base64.b64decode(part.split("-----END")[0]))
    return found


def text(tag, words):
    return encode(tag, words.encode() if isinstance(words, str) else words)


def name(common):
    attribute = encode(0x30, bytes.fromhex("0603550403"), text(0x0C, common))
    return encode(0x30, encode(0x31, attribute))


def extension(oid, value, critical=False):
    return encode(0x30, encode(6, oid), b"\x01\x01\xff" if critical else b"", encode(4, value))


def san(*names):
    return extension(b"\x55\x1d\x11", encode(0x30, *(text(0x82, one) for one in names)))


def validity(start, end):
    return encode(0x30, text(0x17, start), text(0x17, end))


def constraints(is_ca):
    return extension(b"\x55\x1d\x13", encode(0x30, b"\x01\x01\xff" if is_ca else b""), critical=True)


PURPOSE_CLIENT = extension(b"\x55\x1d\x25", encode(0x30, bytes.fromhex("06082b06010505070302")))
ONLY_ELSEWHERE = extension(
    b"\x55\x1d\x1e", encode(0x30, encode(0xA0, encode(0x30, text(0x82, "elsewhere.test")))), critical=True
)


class Forger:
    """Chains and keys in a folder of their own, made when they are asked for."""

    # What the short leaf of a form of trusted-ca has that is not as usual.
    PLAIN = {
        "plain": lambda host: {},
        "no-common-name": lambda host: {"subject": encode(0x30)},
        "foreign-common-name": lambda host: {"subject": name("cdn.test")},
        "second-name": lambda host: {"san": san("cdn.test", host)},
        "capitals": lambda host: {"san": san(host.upper()), "subject": encode(0x30)},
        "home-made": lambda host: {"san": san(host, "localhost"), "subject": name(host)},
        "bare": lambda host: dict.fromkeys(("usage", "purpose", "constraints", "ski")),
        "wildcard": lambda host: {"san": san("*." + host.split(".", 1)[1]), "subject": name("*." + host.split(".", 1)[1])},
    }

    def __init__(self, folder, origin, host, label="trusted"):
        """`label`: of the trusted CA's names; "Test" makes them the genuine ones."""
        self.folder, self.origin, self.host = pathlib.Path(folder), pathlib.Path(origin), host
        self.genuine = ders(self.origin / f"{host}.chain.pem")
        self.made = {}
        for ca in ("trusted", "untrusted"):
            # Valid for another time than the origin's: made within one second, they would have the same dates, which
            # one client pins.
            settings = ["env", f"LABEL={label if ca == 'trusted' else ca}", "DAYS=29"]
            make = [pathlib.Path(__file__).parent / "origin/mkpki", self.folder / ca]
            subprocess.run([*settings, *make, host, "cdn.test", "other.test", "wrong.test"], check=True)

    def key(self, name):
        """The key file of that name; made anew unless mkpki made it."""
        file = self.folder / f"{name}.key"
        if not file.exists():
            if "rsa" in name:
                openssl("genrsa", "-out", file, name.rsplit("-", 1)[1])
            else:
                curve = "secp384r1" if name == "p384" else "prime256v1"
                openssl("ecparam", "-name", curve, "-genkey", "-noout", "-out", file)
        return file

    def public(self, key):
        return openssl("pkey", "-in", self.key(key), "-pubout", "-outform", "DER")

    def sign(self, made, key, algorithm=WITH_SHA256, digest="-sha256"):
        made.algorithm = algorithm
        signed = made.signed_part()
        signature = openssl("dgst", digest, "-sign", self.key(key), data=signed)
        return encode(0x30, signed, algorithm, encode(3, b"\0" + signature))

    def certificate(self, which):
        return Certificate(ders(self.folder / f"{which}.pem")[0])

    def template(self, ca="trusted"):
        """An honest leaf for the host, to be changed. Its subject has the host's name, and is not the genuine one's."""
        made = self.certificate(f"{ca}/{self.host}")
        made.subject = name(self.host)
        return made

    def leaf(self, key="own", by="trusted/intermediate", digest="-sha256", algorithm=WITH_SHA256, **changes):
        """The honest forged leaf, with some fields changed. None takes an extension out."""
        ca = by.split("/")[0]
        made = self.template(ca)
        made.key = self.public(key)
        if by.endswith("/root"):
            made.issuer = self.certificate(by).subject
            made.extensions.pop("aki")
        for field, value in changes.items():
            target = made.__dict__ if field in made.__dict__ else made.extensions
            if value is None:
                target.pop(field)
            else:
                target[field] = value
        return self.sign(made, by, algorithm, digest)

    def authority(self, key, parent="trusted/root", **changes):
        """A CA of our own below a root, shaped as that root's intermediate."""
        made = copy.deepcopy(self.certificate(parent.replace("root", "intermediate")))
        made.key = self.public(key)
        made.extensions.pop("ski", None)
        for field, value in changes.items():
            target = made.__dict__ if field in made.__dict__ else made.extensions
            target[field] = value
        return self.sign(made, parent)

    def chain(self, attack):
        """(chain file, key file) for the name of an attack."""
        if attack not in self.made:
            file = self.folder / (attack.replace("/", ".") + ".pem")
            certificates, key = self.compose(attack)
            file.write_bytes(b"".join(map(pem, certificates)))
            self.made[attack] = (file, self.key(key))
        return self.made[attack]

    def shared(self, other):
        """(chain file, key file) of another host, with this one among its names."""
        file = self.folder / f"{other}.shared.pem"
        if not file.exists():
            made = self.certificate(f"trusted/{other}")
            made.extensions["san"] = san(other, self.host)
            chain = [self.sign(made, "trusted/intermediate"), *ders(self.folder / "trusted/intermediate.pem")]
            file.write_bytes(b"".join(map(pem, chain)))
        return file, self.key(f"trusted/{other}")

    def compose(self, attack):
        kind, _, way = attack.partition("/")
        intermediate = ders(self.folder / "trusted/intermediate.pem")
        root = ders(self.folder / "trusted/root.pem")
        genuine = Certificate(self.genuine[0])
        # As near to the genuine one as is of use here: by its subject and its dates.
        honest = [self.leaf(subject=genuine.subject, validity=genuine.validity)]
        if attack in ("trusted-ca/other-key", "trusted-ca/other-curve", "trusted-ca/rsa-leaf", "trusted-ca/older"):
            key = {"other-key": "rsa-3072", "other-curve": "p384"}.get(way, "rsa-2048")
            return [self.leaf(key, by="trusted/root")], key
        if attack == "trusted-ca/authority-leaf":
            leaf = self.leaf(subject=genuine.subject, validity=genuine.validity, constraints=constraints(True))
            return [leaf, *intermediate], "own"
        if kind == "trusted-ca" and way in self.PLAIN:
            above = ders(self.folder / "trusted/root.pem") if way == "home-made" else []
            return [self.leaf(by="trusted/root", **self.PLAIN[way](self.host)), *above], "own"
        if kind == "untrusted-ca":
            like = self.leaf(by="untrusted/intermediate", subject=genuine.subject, validity=genuine.validity)
            above = ders(self.folder / "untrusted/intermediate.pem") + ders(self.folder / "untrusted/root.pem")
            return [like, *above[: {"": 1, "with-root": 2, "leaf-alone": 0}[way]]], "own"
        if kind == "wrong-key":
            return self.genuine, self.without_its_private_key()
        if kind == "smuggled-chain":
            # The genuine key stands in an extension for a second one: X.509, subjectAltPublicKeyInfo.
            beside = extension(b"\x55\x1d\x48", Certificate(self.genuine[0]).key)
            leaf = [self.leaf(beside=beside)]
            alike = self.cloned("trusted", has_root=False)
            lists = {
                "after": leaf + intermediate + root + self.genuine,
                "issuers-alone": leaf + self.genuine[1:] + intermediate,
                "between": leaf + self.genuine[1:] + self.genuine[:1] + intermediate + root,
                "issuers-first": leaf + self.genuine + intermediate + root,
                "cloned": self.cloned("trusted") + self.genuine,
                "identifiers": alike + self.genuine,
                "identifiers-first": alike[:1] + self.genuine[1:] + alike[1:],
                "authority": [
                    self.leaf(subject=genuine.subject, validity=genuine.validity, constraints=constraints(True)),
                    *intermediate, *self.genuine,
                ],
            }
            return lists[way], "own"
        if attack == "cloned-identity/renewed":
            start, end = (one.content.decode() for one in items(items(genuine.validity)[0].content))
            later = datetime.datetime.strptime(start, "%y%m%d%H%M%SZ") + datetime.timedelta(seconds=1)
            serial = encode(2, b"\x41" + os.urandom(15))
            return self.cloned("trusted", validity=validity(later.strftime("%y%m%d%H%M%SZ"), end), serial=serial), "own"
        if attack == "later-connection/second-copied":
            return self.cloned("trusted"), "own"
        if kind == "later-connection" and way.endswith("-cloned"):
            return self.cloned("trusted") + self.genuine, "own"
        if kind == "cloned-identity":
            return self.cloned(way) if way != "without-root" else self.cloned("trusted", has_root=False), "own"
        if attack == "other-host/lent":
            return ders(self.origin / "other.test.chain.pem"), self.origin / "other.test"
        if attack == "other-host/of-the-app":
            return [self.leaf(by="trusted/root", san=san("cdn.test"), subject=name("cdn.test"))], "own"
        if kind == "other-host":
            return self.cloned("trusted", san=san("wrong.test")), "own"
        if kind == "self-signed":
            alone = genuine
            alone.key, alone.issuer = self.public("own"), alone.subject
            alone.extensions.pop("aki")
            return [self.sign(alone, "own")], "own"
        if attack == "expired/issuer":
            return self.cloned("trusted", top_validity=validity("230101000000Z", "240201000000Z")), "own"
        if kind in ("expired", "not-yet-valid"):
            dates = {"expired": ("240101000000Z", "240201000000Z"), "not-yet-valid": ("450101000000Z", "450201000000Z")}
            return self.cloned("trusted", validity=validity(*dates[kind])), "own"
        if kind == "leaf-as-ca":
            limits = constraints(False) if way == "ca-false" else None
            parent = self.template()
            parent.subject, parent.key = name("leaf as ca"), self.public("leaf-ca")
            parent.extensions.pop("constraints" if limits is None else "ski")
            parent.extensions.pop("ski", None)
            parent = self.sign(parent, "trusted/intermediate")
            return [self.under("leaf-ca", name("leaf as ca")), parent, *intermediate], "own"
        if kind == "bad-signature":
            return self.badly_signed(way), "own"
        if kind == "wrong-usage":
            return self.misused(way), "own"
        if kind == "weak-crypto":
            if way == "rsa-1024":
                return [self.leaf("rsa-1024"), *intermediate], "rsa-1024"
            if way == "sha-1":
                return [self.leaf(digest="-sha1", algorithm=WITH_SHA1), *intermediate], "own"
            parent = self.authority("rsa-2048", subject=name("rsa authority"))
            return [self.under("rsa-2048", name("rsa authority"), "-md5", RSA_WITH_MD5), parent], "own"
        return honest + intermediate, "own"

    def under(self, key, issuer, digest="-sha256", algorithm=WITH_SHA256, **changes):
        """A leaf that one of our own CAs signed."""
        made = self.template()
        made.key, made.issuer = self.public("own"), issuer
        made.extensions.pop("aki")
        for field, value in changes.items():
            (made.__dict__ if field in made.__dict__ else made.extensions)[field] = value
        return self.sign(made, key, algorithm, digest)

    def cloned(self, ca, has_root=True, top_validity=None, **changes):
        """Everything of the genuine leaf and its issuer but their keys, below a CA with the genuine root's name, where it
        has one. `top_validity`: that one's dates; `changes`: of the leaf."""
        issuer, leaf = Certificate(self.genuine[1]), Certificate(self.genuine[0])
        # By a key identifier of its own, or the genuine root would be taken for it.
        label = b"a root of our own"
        top = self.authority(
            "clone-root", f"{ca}/root", subject=issuer.issuer, constraints=constraints(True),
            ski=extension(b"\x55\x1d\x0e", encode(4, label)), **({"validity": top_validity} if top_validity else {}),
        )
        issuer.extensions["aki"] = extension(b"\x55\x1d\x23", encode(0x30, encode(0x80, label)))
        leaf.key, issuer.key = self.public("own"), self.public("clone")
        for field, value in changes.items():
            (leaf.__dict__ if field in leaf.__dict__ else leaf.extensions)[field] = value
        if has_root:
            return [self.sign(leaf, "clone"), self.sign(issuer, "clone-root"), top]
        root = self.certificate(f"{ca}/root")
        issuer.issuer = root.subject
        issuer.extensions.pop("aki")
        return [self.sign(leaf, "clone"), self.sign(issuer, f"{ca}/root")]

    def without_its_private_key(self):
        """A file with the genuine leaf's public key, and a private key that is not its own. Nobody compares the two."""
        file = self.folder / "imitated.key"
        kind, point = items(items(Certificate(self.genuine[0]).key)[0].content)
        curve = items(kind.content)[1].whole
        secret = encode(4, (7).to_bytes(32, "big"))
        whole = encode(0x30, b"\x02\x01\x01", secret, encode(0xA0, curve), encode(0xA1, point.whole))
        file.write_bytes(pem(whole).replace(b"CERTIFICATE", b"EC PRIVATE KEY"))
        return self.folder / "imitated"

    def badly_signed(self, way):
        intermediate = ders(self.folder / "trusted/intermediate.pem")
        if way == "corrupted":
            good = bytearray(self.leaf())
            good[-1] ^= 1
            return [bytes(good), *intermediate]
        honest = self.template()
        honest.key = self.public("own")
        if way in ("genuine-issuer", "zeros"):
            genuine = Certificate(self.genuine[0])
            honest.issuer, honest.extensions["aki"] = genuine.issuer, genuine.extensions["aki"]
            signed = self.sign(honest, "somebody")
            if way == "zeros":
                zeros = encode(0x30, b"\x02\x01\0" * 2)
                signed = encode(0x30, honest.signed_part(), WITH_SHA256, encode(3, b"\0" + zeros))
            return [signed, *self.genuine[1:]]
        return [self.sign(honest, "somebody"), *intermediate]

    def misused(self, way):
        host, intermediate = self.host, ders(self.folder / "trusted/intermediate.pem")
        top = host.rsplit(".", 1)[1]
        # "*.test" is a right name of "api.test": only more labels make it a wrong one.
        star = f"*.{top}" if host.count(".") > 1 else "*"
        changes = {
            "common-name-only": {"san": None, "subject": name(host)},
            "nul-in-san": {"san": san(f"{host}\0.wrong.test"), "subject": name("cdn.test")},
            "top-level-wildcard": {"san": san(star), "subject": name("cdn.test")},
            "parent-domain": {"san": san(top), "subject": name("cdn.test")},
            "affixed-name": {"san": san(f"x-{host}", f"{host}.wrong.test"), "subject": name("cdn.test")},
        }
        if way in changes:
            return [self.leaf(**changes[way]), *intermediate]
        if way == "client-auth":
            return self.cloned("trusted", purpose=PURPOSE_CLIENT)
        subject = Certificate(self.genuine[0]).subject
        if way == "name-constraints":
            parent = self.authority("narrow", subject=name("narrow"), names=ONLY_ELSEWHERE)
            return [self.under("narrow", name("narrow"), subject=subject), parent]
        # The intermediate may have no CA below it, and here is one.
        parent = copy.deepcopy(self.certificate("trusted/intermediate"))
        parent.key, parent.subject, parent.issuer = self.public("deep"), name("deep"), parent.subject
        parent.extensions.pop("aki"), parent.extensions.pop("ski")
        return [self.under("deep", name("deep"), subject=subject), self.sign(parent, "trusted/intermediate"), *intermediate]
