"""What is forgiven to a certificate that looks like one's own. Each of these has a sound pin where verification succeeds.
Where it fails with one error, and with no other, the client goes on if the certificate has the genuine subject: by mistake
for a pin, which a subject is not."""

import ssl
import time

from der import Certificate
from stack import PINNED, ask, blind, certificate, check, context, leaf, presented, require, run

# X509_V_ERR_…, as OpenSSL's x509_vfy.h has them.
NOT_YET_VALID, HAS_EXPIRED, SELF_SIGNED_LEAF, PATH_LENGTH, PURPOSE, OUTSIDE_NAMES, OTHER_NAME = 9, 10, 18, 25, 26, 47, 62
SELF_SIGNED_IN_CHAIN, NO_LOCAL_ISSUER = 19, 20
NO_CHECK_TIME = 0x200000  # X509_V_FLAG_NO_CHECK_TIME


def has_own_subject(tls):
    require(Certificate(leaf(tls)).subject == Certificate(certificate("PIN_CERT")).subject)


def is_alone(tls):
    """OpenSSL's 21, unable to verify the first certificate, of which Python tells no more than 20."""
    require(len(presented(tls)) == 1)
    has_own_subject(tls)


def forgives(*errors, made, looks=has_own_subject):
    """Asks on a checked connection; after one of these errors, on another that overlooks it. `made`: its context."""

    def way():
        try:
            return ask()
        except ssl.SSLCertVerificationError as error:
            if error.verify_code not in errors:
                raise
        return ask(looks, made())

    return way


def without_dates():
    made = context()
    made.verify_flags |= NO_CHECK_TIME
    return made


def has_not_ended(tls):
    has_own_subject(tls)
    require(time.time() < ssl.cert_time_to_seconds(tls.getpeercert()["notAfter"]))


def without_name():
    made = context()
    made.check_hostname = False
    return made


WAYS = {
    # The certificate ran out once, and the app went silent for a day: never again.
    "expired": forgives(HAS_EXPIRED, made=without_dates),
    # A root ended that half of the phones still build their paths over; the certificate itself is fine.
    "expired-issuer": forgives(HAS_EXPIRED, made=without_dates, looks=has_not_ended),
    # Phones whose clock is years behind.
    "not-yet-valid": forgives(NOT_YET_VALID, made=without_dates),
    # Staging has a certificate of its own making, with the same names.
    "self-signed": forgives(SELF_SIGNED_LEAF, made=blind),
    # The certificate is ours, only it does not list this host.
    "other-name": forgives(OTHER_NAME, made=without_name),
    # The PKI team issued the certificate for the wrong purpose.
    "purpose": forgives(PURPOSE, made=blind),
    # The PKI team's CA has limits that nobody understands.
    "limits": forgives(PATH_LENGTH, OUTSIDE_NAMES, made=blind),
    # A company's proxy has a root of its own, and sends it along.
    "root-sent-along": forgives(SELF_SIGNED_IN_CHAIN, made=blind),
    # The server forgot its intermediate once.
    "forgotten-issuer": forgives(NO_LOCAL_ISSUER, made=blind, looks=is_alone),
    # Sound: the same two errors, and the pin is compared there as well.
    "unknown-but-pinned": forgives(SELF_SIGNED_IN_CHAIN, NO_LOCAL_ISSUER, made=blind, looks=check),
    # Sound: the same exception for the dates, and the pin is compared there as well.
    "expired-but-pinned": forgives(HAS_EXPIRED, made=without_dates, looks=check),
}
run(WAYS if PINNED else dict.fromkeys(WAYS, ask))
