"""Sessions that are resumed: what was skipped once is skipped again."""

import ssl

from stack import PINNED, PinMismatch, ask, check, context, read, run, secure, send


def limited(version, tickets=True):
    made = context()
    if version:
        made.maximum_version = version
    if not tickets:
        made.options |= ssl.OP_NO_TICKET
    return made


def new_sessions_only(tls):
    """A resumed session was looked at when it was made: was it?"""
    if not tls.session_reused:
        check(tls)


def warmed_up(checks, version=None, tickets=True):
    """Something else of the app opens a connection ahead, and leaves its session to everybody."""

    def way():
        made = limited(version, tickets)
        # Left open meanwhile: what is closed without a word is forgotten by either side.
        with secure(made) as tls:
            return ask(checks, made, session=settled(tls))

    return way


def settled(tls):
    """The session; in TLS 1.3 it comes after the handshake, when one reads."""
    if tls.version() == "TLSv1.3":
        tls.settimeout(0.5)
        try:
            tls.recv(1)
        except (TimeoutError, ssl.SSLWantReadError):
            pass
    return tls.session


def kept_before_check():
    """Keeps the session first and looks at the certificate then; and tries again, when that went wrong."""
    made = limited(OLD)
    with secure(made) as tls:
        session = tls.session
        try:
            check(tls)
            send(tls)
            return read(tls)
        except PinMismatch:
            return ask(new_sessions_only, made, session=session)


def refused_then_resumed():
    """Looks behind the handshake, and tries once more with the session of the connection that it has just refused."""
    made = context()
    with secure(made) as tls:
        session = tls.session
        try:
            check(tls)
            send(tls)
            return read(tls)
        except PinMismatch:
            pass
    return ask(new_sessions_only, made, session=session)


def twice(checks, version=None):
    """Two requests, the second on a resumed session."""

    def way():
        made = limited(version)
        with secure(made) as tls:
            checks(tls)
            send(tls, close=False)
            read(tls)
            session = settled(tls)
        return ask(checks, made, session=session)

    return way


OLD = ssl.TLSVersion.TLSv1_2
WAYS = {
    "warmed-up": warmed_up(new_sessions_only),
    "warmed-up-ticket": warmed_up(new_sessions_only, OLD),
    "warmed-up-id": warmed_up(new_sessions_only, OLD, tickets=False),
    "kept-before-check": kept_before_check,
    "refused-then-resumed": refused_then_resumed,
    "new-only": twice(new_sessions_only),
    "new-only-old-tls": twice(new_sessions_only, OLD),
    "warmed-up-checked": warmed_up(check),
    "always-checked": twice(check),
}
# The control host is to see the same stack.
CONTROLS = {
    "warmed-up-ticket": lambda: ask(made=limited(OLD)),
    "warmed-up-id": lambda: ask(made=limited(OLD, tickets=False)),
    "kept-before-check": lambda: ask(made=limited(OLD)),
    "new-only-old-tls": lambda: ask(made=limited(OLD)),
}
run(WAYS if PINNED else {**dict.fromkeys(WAYS, ask), **CONTROLS})
