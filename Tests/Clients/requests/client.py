"""requests, pinned by urllib3's assert_fingerprint (the hash of the whole certificate)."""

import hashlib
import os
import ssl
import sys

import requests
from requests.adapters import HTTPAdapter


def fingerprint():
    if not os.environ.get("PIN_CERT"):
        return None
    with open(os.environ["PIN_CERT"]) as file:
        return hashlib.sha256(ssl.PEM_cert_to_DER_cert(file.read())).hexdigest()


class PinnedAdapter(HTTPAdapter):
    """Hands the pin to both kinds of pool: given to the direct one alone, it would be lost behind a proxy."""

    def init_poolmanager(self, *args, **kwargs):
        super().init_poolmanager(*args, assert_fingerprint=fingerprint(), **kwargs)

    def proxy_manager_for(self, proxy, **kwargs):
        return super().proxy_manager_for(proxy, assert_fingerprint=fingerprint(), **kwargs)


def main():
    session = requests.Session()
    session.trust_env = False
    if fingerprint():
        session.mount("https://", PinnedAdapter())
    proxy = os.environ.get("PINPROOF_PROXY")
    try:
        answer = session.get(
            os.environ["URL"],
            verify=os.environ["CAFILE"],
            timeout=float(os.environ["TIMEOUT"]),
            proxies={"https": proxy} if proxy else None,
        )
        print(answer.text, end="")
        return 0
    except requests.exceptions.SSLError as error:
        print(error, file=sys.stderr)
        return 1
    except requests.exceptions.RequestException as error:
        print(error, file=sys.stderr)
        return 2


sys.exit(main())
