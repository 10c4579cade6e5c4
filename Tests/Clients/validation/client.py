"""Verification with one hole each. These are weak whatever they pin."""

import fnmatch
import ssl

from der import Certificate
from stack import E, HOST, PINNED, PinMismatch, ask, blind, certificate, check, context, leaf, run, unchecked


def named(matches):
    """The chain is verified well; the name by a function of our own."""

    def way():
        made = context()
        made.check_hostname = False

        def checks(tls):
            if not matches(Certificate(leaf(tls))):
                raise PinMismatch("the name does not match")
            check(tls)

        return ask(checks, made)

    return way


def named_by(shown):
    """Names in small letters, as they are compared everywhere (RFC 4343)."""
    return [name.lower() for name in shown.names()]


def common_name(shown):
    """No list of names? Then the common name will do."""
    names = named_by(shown) or [shown.common_name()]
    return HOST.encode() in names


def up_to_nul(shown):
    return HOST.encode() in [name.split(b"\0")[0] for name in named_by(shown)]


def wildcards(shown):
    """A star stands for anything here, dots too."""
    return any(fnmatch.fnmatch(HOST, name.decode()) for name in named_by(shown) if b"\0" not in name)


def parent(shown):
    """A certificate for a domain is taken to be good for everything below it."""
    return any(("." + HOST).endswith("." + name.decode()) for name in named_by(shown) if b"\0" not in name)


def ends_with(shown):
    return any(name.decode().endswith(HOST) for name in named_by(shown) if b"\0" not in name)


def own_hosts(shown):
    """A certificate for any host of ours will do."""
    return any(name in (HOST.encode(), b"cdn.test") for name in named_by(shown))


def strings():
    """Trusts everybody, and then looks for familiar words: issuer, subject, name."""

    def checks(tls):
        shown, genuine = Certificate(leaf(tls)), Certificate(certificate("PIN_CERT"))
        if (shown.issuer, shown.subject) != (genuine.issuer, genuine.subject) or HOST.encode() not in shown.names():
            raise PinMismatch("not the words we know")

    return ask(checks, blind())


def private_root(check_hostname):
    """Trusts the genuine root alone."""

    def way():
        if not PINNED:
            return ask()
        made = context(E["PIN_CA"])
        made.check_hostname = check_hostname
        return ask(unchecked, made)

    return way


def ciphers(words, version=None):
    def way():
        made = context()
        if version:
            made.minimum_version = version
        made.set_ciphers(words)
        return ask(check, made)

    return way


WAYS = {
    "common-name": named(common_name),
    "up-to-nul": named(up_to_nul),
    "wildcards": named(wildcards),
    "parent": named(parent),
    "ends-with": named(ends_with),
    "own-hosts": named(own_hosts),
    "strings": strings,
    "private-root": private_root(True),
    "private-root-any-name": private_root(False),
    "weak-signatures": ciphers("DEFAULT@SECLEVEL=0"),
    "old-tls": ciphers("DEFAULT@SECLEVEL=0", ssl.TLSVersion.TLSv1),
    "no-encryption": ciphers("ECDHE+AESGCM:eNULL:!aNULL@SECLEVEL=0"),
    "anonymous": ciphers("ECDHE+AESGCM:aNULL:!eNULL@SECLEVEL=0"),
}
run(WAYS)
