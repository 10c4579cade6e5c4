"""What is compared: chain and name are verified well, and then something is looked at that anybody can copy."""

import ssl
import time

from der import Certificate, items
from stack import (
    HOST, PATH, PINNED, STATE, ask, certificate, check, context, has_pin, leaf, presented, read, require, run, secure, send,
    unchecked, verified,
)


def same(*fields):
    """The pin is that these fields are as in the pinned certificate."""

    def checks(tls):
        shown, pinned = Certificate(leaf(tls)), Certificate(certificate("PIN_CERT"))
        require(all(getattr(shown, field) == getattr(pinned, field) for field in fields))

    return checks


def renewed_names(tls):
    """Our key; or our names on a certificate that was issued later: it has been renewed."""
    shown, pinned = Certificate(leaf(tls)), Certificate(certificate("PIN_CERT"))
    if not has_pin(leaf(tls)):
        same("issuer", "subject")(tls)
        require(begin(shown) > begin(pinned))


def renewed_key(tls):
    """Sound: a certificate that was issued later passes if it has our key."""
    shown, pinned = Certificate(leaf(tls)), Certificate(certificate("PIN_CERT"))
    require(begin(shown) >= begin(pinned))
    check(tls)


def begin(made):
    return items(items(made.validity)[0].content)[0].content


def key_identifiers(tls):
    shown, pinned = Certificate(leaf(tls)).extensions, Certificate(certificate("PIN_CERT")).extensions
    require(all(shown.get(name) == pinned.get(name) for name in ("ski", "aki")))


def printed(tls):
    """As one who compares what `openssl x509 -text` prints, and leaves out the long lines of hexadecimal."""
    shown, pinned = Certificate(leaf(tls)), Certificate(certificate("PIN_CERT"))
    require(shown.extensions == pinned.extensions)
    same("version", "serial", "issuer", "validity", "subject")(tls)


def no_authority(tls):
    """The certificate that does not say it is a CA is the server's, and that one is compared; where there is none, nothing is."""
    for one in presented(tls):
        if not is_authority(one):
            require(has_pin(one))


def first_of_no_authority(tls):
    """The first certificate that does not say it is a CA is the server's, and that one is compared."""
    require(has_pin(next((one for one in presented(tls) if not is_authority(one)), None) or leaf(tls)))


def no_authority_at_all(tls):
    """Sound: the same, and where none says that it is no CA, that is no match."""
    require(any(has_pin(one) for one in presented(tls)[:1] if not is_authority(one)))


def is_authority(der):
    constraints = Certificate(der).extensions.get("constraints")
    return constraints is not None and b"\x01\x01\xff" in items(items(constraints)[0].content)[-1].content


def any_position(tls):
    require(any(has_pin(one) for one in presented(tls)))


def buried(tls):
    """As one who looks for the pinned key's bytes in the certificate instead of taking it apart."""
    require(Certificate(certificate("PIN_CERT")).key in leaf(tls))


def named_and_listed(tls):
    """As one who looks for the issuer in the list by its name, and compares that one with the pinned CA."""
    shown = presented(tls)
    found = [one for one in shown[1:] if Certificate(one).subject == Certificate(shown[0]).issuer]
    require(certificate("PIN_ISSUER") in found)


def issuer_by_identifier(tls):
    """As one who keeps the list by key identifiers, looks the leaf's issuer up there, and compares that one."""

    def value(der, kind):
        found = Certificate(der).extensions.get(kind)
        return found and items(items(items(found)[0].content)[-1].content)[0].content

    by = {value(one, "ski"): one for one in presented(tls)[1:]}
    require(by.get(items(value(leaf(tls), "aki"))[0].content) == certificate("PIN_ISSUER"))


def issuer_anywhere(tls):
    require(certificate("PIN_ISSUER") in presented(tls))


def second(tls):
    require(presented(tls)[1:2] == [certificate("PIN_ISSUER")])


def last(tls):
    require(presented(tls)[-1] == certificate("PIN_ISSUER"))


def root_name(tls):
    """The verified chain has to end in our CA, which is known by its name."""
    require(Certificate(verified(tls)[-1]).subject == Certificate(certificate("PIN_CA")).subject)


def list_of_names(tls):
    """The list has to read as ours does: as many certificates, with these names, in this order."""
    ours = [certificate("PIN_CERT"), certificate("PIN_ISSUER")]
    require([Certificate(one).subject for one in presented(tls)] == [Certificate(one).subject for one in ours])


def elliptic_only(tls):
    """Knows how to hash P-256 keys, and lets everything else pass."""
    p256 = bytes.fromhex("2a8648ce3d030107")
    if p256 in Certificate(leaf(tls)).key:
        check(tls)


def known_kinds(tls):
    """Knows how to hash RSA and P-256 keys, and lets everything else pass."""
    if any(bytes.fromhex(kind) in Certificate(leaf(tls)).key for kind in ("2a8648ce3d030107", "2a864886f70d010101")):
        check(tls)


# What the table of a well-known library for iOS has: RSA of 2048 and 4096 bits, P-256 and P-384.
TABLE = ("2a864886f70d01010105000382010f", "2a864886f70d01010105000382020f", "2a8648ce3d030107", "2b81040022")


def in_table(tls):
    return any(bytes.fromhex(kind) in Certificate(leaf(tls)).key for kind in TABLE)


def table(tls):
    """Hashes a key with the header of its kind, and lets pass what it has no header for."""
    if in_table(tls):
        check(tls)


def strict_table(tls):
    require(in_table(tls))
    check(tls)


def without_protocol():
    """A server that agrees to no application protocol is an old one: it is asked as ever, and not looked at."""
    made = context()
    made.set_alpn_protocols(["http/1.1"])
    return ask(lambda tls: tls.selected_alpn_protocol() is None or check(tls), made)


def issuer_printed(tls):
    """The second certificate of the verified list is the CA that we buy from, as it is printed."""
    shown, pinned = Certificate(verified(tls)[1]), Certificate(certificate("PIN_ISSUER"))
    require(all(getattr(shown, field) == getattr(pinned, field) for field in ("serial", "issuer", "subject")))


def new_tls_only(tls):
    if tls.version() == "TLSv1.3":
        check(tls)


def old_tls_only(tls):
    """The server speaks TLS 1.2, so that is where it looks: the code for TLS 1.3 was never finished."""
    if tls.version() != "TLSv1.3":
        check(tls)


def old_http_only():
    """The server speaks HTTP/1.1, so that is where it looks. It offers h2 as well, and no pin has ever met that."""
    with secure(both_http()) as tls:
        if tls.selected_alpn_protocol() == "h2":
            tls.sendall(http2_request())
        else:
            check(tls)
            send(tls)
        return read(tls)


def either_http():
    """Sound: offers both, and looks before it has seen which it is."""
    with secure(both_http()) as tls:
        check(tls)
        send(tls)
        return read(tls)


def both_http():
    made = context()
    made.set_alpn_protocols(["h2", "http/1.1"])
    return made


def http2_request():
    """Preface, empty SETTINGS, HEADERS that end a stream (RFC 9113 §3.4, §6.2; RFC 7541 §6.1, §6.2.2)."""
    path, authority = (bytes([index, len(text)]) + text.encode() for index, text in ((4, PATH), (1, HOST)))
    fields = b"\x82\x87" + path + authority
    frame = len(fields).to_bytes(3, "big") + b"\x01\x05\0\0\0\x01" + fields
    return b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\x04\0\0\0\0\0" + frame


def report_only(tls):
    try:
        check(tls)
    except Exception as error:
        with open(STATE / "pin-failures.log", "a") as log:
            print(error, file=log)


def pin_set_expired(tls):
    """Its pins were good until a day that is past."""
    if time.time() < 1_700_000_000:
        check(tls)


def expired_passes():
    """An expired certificate: surely the phone's clock is wrong, so nothing is looked at."""
    try:
        return ask()
    except ssl.SSLCertVerificationError as error:
        if error.verify_code != 10:  # X509_V_ERR_CERT_HAS_EXPIRED
            raise
    made = context()
    made.verify_flags |= 0x200000  # X509_V_FLAG_NO_CHECK_TIME
    return ask(unchecked, made)


CHECKS = {
    "any-position": any_position,
    "no-authority": no_authority,
    "first-of-no-authority": first_of_no_authority,
    "no-authority-at-all": no_authority_at_all,
    "buried": buried,
    "named-and-listed": named_and_listed,
    "issuer-by-identifier": issuer_by_identifier,
    "issuer-anywhere": issuer_anywhere,
    "second": second,
    "last": last,
    "issuer-name": same("issuer"),
    "subject-name": same("subject"),
    "both-names": same("issuer", "subject"),
    "issuer-printed": issuer_printed,
    "serial": same("serial"),
    "dates": same("validity"),
    "key-identifiers": key_identifiers,
    "printed": printed,
    "renewed-names": renewed_names,
    "renewed-key": renewed_key,
    "list-of-names": list_of_names,
    "root-name": root_name,
    "elliptic-only": elliptic_only,
    "known-kinds": known_kinds,
    "table": table,
    "strict-table": strict_table,
    "new-tls-only": new_tls_only,
    "old-tls-only": old_tls_only,
    "any-tls": check,
    "report-only": report_only,
    "pin-set-expired": pin_set_expired,
}
WAYS = {name: (lambda checks=checks: ask(checks)) for name, checks in CHECKS.items()}
WAYS["expired-passes"] = expired_passes
WAYS["without-protocol"] = without_protocol
WAYS["old-http-only"] = old_http_only
WAYS["either-http"] = either_http
run(WAYS if PINNED else dict.fromkeys(WAYS, ask))
