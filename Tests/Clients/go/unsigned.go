//go:build unsigned

// Clients whose TLS library does not look at the handshake's signature: Apple's in 2014 ("goto fail") in TLS 1.2, wolfSSL's
// in TLS 1.3 (CVE-2022-25638); or that takes a signature of zeros, as Java's did in 2022 (CVE-2022-21449). Go's own library,
// with one condition changed: `install` says how.
package main

import (
	"crypto/ecdsa"
	"crypto/tls"
	"crypto/x509"
)

func init() {
	ways["unsigned-key-exchange"] = func(*tls.Config, []*x509.Certificate) { tls.UncheckedKeyExchange = true }
	ways["unsigned-handshake"] = func(*tls.Config, []*x509.Certificate) { tls.UncheckedHandshake = true }
	ways["unsigned-zeros"] = func(*tls.Config, []*x509.Certificate) { ecdsa.TakesZeros = true }
}
