// Ways of getting it wrong that Go's callbacks invite. Each replaces or extends the honest configuration.
package main

import (
	"bytes"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"os"
	"time"
)

var errChain = errors.New("x509: not a chain to a known root")

// A way changes a configuration. `roots` is what the client trusts.
var ways = map[string]func(config *tls.Config, roots []*x509.Certificate){
	"": func(*tls.Config, []*x509.Certificate) {},
	// The pin is looked at in HTTP/2 alone.
	"h2-only": func(config *tls.Config, _ []*x509.Certificate) {
		config.VerifyPeerCertificate = nil
		config.VerifyConnection = func(state tls.ConnectionState) error {
			if state.NegotiatedProtocol != "h2" {
				return nil
			}
			return comparePin(state.PeerCertificates[0])
		}
	},
	// A callback that is only called, in effect, when verification failed: the pin is the exception to it.
	"error-path": func(config *tls.Config, _ []*x509.Certificate) {
		onErrorPath(config, nil, comparePin)
	},
	// The same with names instead of a key, as a WebView's onReceivedSslError is written.
	"error-path-names": func(config *tls.Config, _ []*x509.Certificate) {
		onErrorPath(config, nil, compareNames)
	},
	// A sound pin where verification succeeds, and names where it fails.
	"pinned-error-path-names": func(config *tls.Config, _ []*x509.Certificate) {
		onErrorPath(config, comparePin, compareNames)
	},
	// Any purpose is good enough.
	"any-purpose": func(config *tls.Config, _ []*x509.Certificate) {
		config.InsecureSkipVerify = true
		config.VerifyPeerCertificate = nil
		config.VerifyConnection = func(state tls.ConnectionState) error {
			return platform(config, state, x509.ExtKeyUsageAny)
		}
	},
	// Signatures, dates and the host's name are looked at, and not who may sign for what.
	"signatures-only": func(config *tls.Config, roots []*x509.Certificate) {
		ownVerifier(config, roots, func(child, parent *x509.Certificate) bool {
			return parent.CheckSignature(child.SignatureAlgorithm, child.RawTBSCertificate, child.Signature) == nil
		})
	},
	// A chain is whatever is linked by names, up to the name of a root.
	"names-only": func(config *tls.Config, roots []*x509.Certificate) {
		ownVerifier(config, roots, func(_, _ *x509.Certificate) bool { return true })
	},
	// Go's callback is not called for a resumed session, and this one keeps sessions.
	"session-cache": func(config *tls.Config, _ []*x509.Certificate) {
		config.ClientSessionCache = tls.NewLRUClientSessionCache(4)
	},
}

func comparePin(leaf *x509.Certificate) error {
	hash := sha256.Sum256(leaf.RawSubjectPublicKeyInfo)
	if pin := os.Getenv("PIN"); pin != "" && base64.StdEncoding.EncodeToString(hash[:]) != pin {
		return errPin
	}
	return nil
}

func compareNames(leaf *x509.Certificate) error {
	pinned := certificates(os.Getenv("PIN_CERT"))
	if len(pinned) == 0 || !bytes.Equal(leaf.RawSubject, pinned[0].RawSubject) || !bytes.Equal(leaf.RawIssuer, pinned[0].RawIssuer) {
		return errPin
	}
	return nil
}

// What Go does by itself, for a given purpose.
func platform(config *tls.Config, state tls.ConnectionState, purpose x509.ExtKeyUsage) error {
	options := x509.VerifyOptions{
		Roots: config.RootCAs, DNSName: state.ServerName, Intermediates: x509.NewCertPool(),
		KeyUsages: []x509.ExtKeyUsage{purpose},
	}
	for _, certificate := range state.PeerCertificates[1:] {
		options.Intermediates.AddCert(certificate)
	}
	_, err := state.PeerCertificates[0].Verify(options)
	return err
}

func onErrorPath(config *tls.Config, onSuccess, onError func(*x509.Certificate) error) {
	config.InsecureSkipVerify = true
	config.VerifyPeerCertificate = nil
	config.VerifyConnection = func(state tls.ConnectionState) error {
		err := platform(config, state, x509.ExtKeyUsageServerAuth)
		switch {
		case err == nil && onSuccess != nil:
			return onSuccess(state.PeerCertificates[0])
		case err == nil:
			return nil
		case os.Getenv("PIN") == "": // without a pin there is nothing to make an exception for
			return err
		default:
			return onError(state.PeerCertificates[0])
		}
	}
}

// A verifier as one writes it who has read what a chain is, and not RFC 5280.
func ownVerifier(config *tls.Config, roots []*x509.Certificate, links func(child, parent *x509.Certificate) bool) {
	config.InsecureSkipVerify = true
	config.VerifyPeerCertificate = nil
	config.VerifyConnection = func(state tls.ConnectionState) error {
		leaf := state.PeerCertificates[0]
		if err := leaf.VerifyHostname(state.ServerName); err != nil {
			return err
		}
		now := time.Now()
		candidates := append(append([]*x509.Certificate{}, state.PeerCertificates[1:]...), roots...)
		for child, depth := leaf, 0; depth < 10; depth++ {
			if now.Before(child.NotBefore) || now.After(child.NotAfter) {
				return errChain
			}
			var parent *x509.Certificate
			for _, candidate := range candidates {
				if bytes.Equal(candidate.RawSubject, child.RawIssuer) && links(child, candidate) {
					parent = candidate
					break
				}
			}
			if parent == nil {
				return errChain
			}
			for _, root := range roots {
				if bytes.Equal(root.RawSubject, parent.RawSubject) && (root == parent || links(parent, root)) {
					return nil
				}
			}
			child = parent
		}
		return errChain
	}
}
