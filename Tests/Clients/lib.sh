# Sourced by every client's `run`. Where things are, and the two words every `run` needs: `need` and `absent`.
#
# A `run` makes one request and says how it went by its status:
#   0 the answer came (it is on stdout)   1 refused: TLS or pin   2 any other failure   77 the client is not installed
# Environment:
#   URL             https://host[:port]/path
#   CAFILE          PEM file with the roots this client trusts, and no others
#   PIN             base64 SHA-256 of the SPKI to pin; empty: the client is not pinned
#   PIN_CERT        PEM file of the certificate to pin, for stacks that pin whole certificates; empty like PIN
#   PIN_ISSUER      PEM file of the CA certificate that signed it; PIN_CA: of its root. For stacks that pin CAs
#   STATE           a folder that lives over all cold starts of a run, for clients that remember
#   PINPROOF_STATE  a folder for what an app keeps: of one cold start, unless a second start is what is tested
#   REQUESTS        how many requests a client makes that makes several (3)
#   CONTROL         URL of a host that is asked without a pin, for clients that go to both
#   DIRECT          address:port of the origin itself, for clients that go past the proxy
#   PINPROOF_PROXY  http://host:port to go through; empty: straight to the host
#   TIMEOUT         seconds a request may take (5)
#   CLIENT_CHECK    1: only say whether the client is installed
# An optional first argument picks one of several ways the client can be built (see clients.txt).
here=$(cd "${0%/*}" && pwd)
clients_home=${CLIENTS_HOME:-$here/../../../.build/clients}
# That of the environment, once there is one: what `python3` is may be a script that looks for it, each time anew.
python=$clients_home/venv/bin/python
[ -x "$python" ] || python=python3
export TIMEOUT=${TIMEOUT:-5}
# Only what the client is told counts: the gate sets these as well, and a stack that mixes both is tested elsewhere.
unset http_proxy https_proxy all_proxy no_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY

absent() {
    echo "absent: $*" >&2
    exit 77
}

# need COMMAND-OR-FILE...: status 77 unless all are there; ends here when that was the only question.
need() {
    for thing; do
        command -v "$thing" >/dev/null 2>&1 || [ -e "$thing" ] || absent "$thing"
    done
    [ -z "${CLIENT_CHECK:-}" ] || exit 0
}

# python_client [WAY]: this folder's client.py. Starts are many and short: it is compiled once, and so is all that it imports, and
# packages that nobody of these needs are not looked for.
python_client() {
    need "$python"
    unset PYTHONDONTWRITEBYTECODE
    export PYTHONPATH="$here:$here/../python" PYTHONPYCACHEPREFIX="$clients_home/pycache"
    exec "$python" -S -c 'import sys; sys.path.pop(0); import client' "${1:-}"
}
