"""Which connections have a pin: chain and name are verified well, and whether there is a pin to compare depends on what
the certificate says of itself, which anybody can choose who has a CA that the client trusts."""

import fnmatch

from der import Certificate
from stack import HOST, PINNED, PinMismatch, ask, check, leaf, presented, run


def common_name(tls):
    return Certificate(leaf(tls)).common_name().decode()


def common_name_if_any(tls):
    """The pins are in a table by common names. A certificate without one is in no table."""
    if common_name(tls):
        check(tls)


def own_common_name(tls):
    """Another common name than ours is our content network's, which has keys of its own."""
    name = common_name(tls)
    if not name or fnmatch.fnmatch(HOST, name):
        check(tls)


def first_name(tls):
    """The pins are in a table by names, and the first name of the certificate is looked up."""
    names = Certificate(leaf(tls)).names()
    if names and fnmatch.fnmatch(HOST, names[0].decode()):
        check(tls)


def known_name(names):
    """Pinned hosts and others are in one table, and the row is found by the certificate; what is in no row is refused."""
    table = {HOST: check, "cdn.test": lambda tls: None}

    def look(tls):
        row = next((name for name in names(tls) if name in table), None)
        if row is None:
            raise PinMismatch("none of our hosts")
        table[row](tls)

    return look


def as_spelt(tls):
    """The pins are in a table by names, and a certificate that has none of these is our content network's."""
    if HOST.encode() in Certificate(leaf(tls)).names():
        check(tls)


def with_identifier(tls):
    """Public CAs say which key a certificate is for; what does not is our test server's."""
    if "ski" in Certificate(leaf(tls)).extensions:
        check(tls)


def whole_names_only(tls):
    """A wildcard is what our content network has: its keys change every week, and are not pinned."""
    if not any(name.startswith(b"*.") for name in Certificate(leaf(tls)).names()):
        check(tls)


def below_an_intermediate(tls):
    """Public CAs sign with an intermediate: what a root has signed by itself is our test server's."""
    if len(presented(tls)) > 1:
        check(tls)


CHECKS = {
    "common-name-if-any": common_name_if_any,
    "own-common-name": own_common_name,
    "first-name": first_name,
    "first-known-name": known_name(lambda tls: [name.decode() for name in Certificate(leaf(tls)).names()]),
    "known-common-name": known_name(lambda tls: [common_name(tls)]),
    "as-spelt": as_spelt,
    "with-identifier": with_identifier,
    "whole-names-only": whole_names_only,
    "below-an-intermediate": below_an_intermediate,
    # Sound: whatever the certificate is called, and whoever signed it, the key is compared.
    "whatever-it-says": check,
}
WAYS = {name: (lambda checks=checks: ask(checks)) for name, checks in CHECKS.items()}
run(WAYS if PINNED else dict.fromkeys(WAYS, ask))
