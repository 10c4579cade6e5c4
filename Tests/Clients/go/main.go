// Go's net/http, pinned in tls.Config.VerifyPeerCertificate, after Go's own verification.
package main

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

var errPin = errors.New("pin mismatch")

func configuration() (*tls.Config, error) {
	pem, err := os.ReadFile(os.Getenv("CAFILE"))
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	config := &tls.Config{RootCAs: roots}
	if pin := os.Getenv("PIN"); pin != "" {
		config.VerifyPeerCertificate = func(_ [][]byte, verified [][]*x509.Certificate) error {
			hash := sha256.Sum256(verified[0][0].RawSubjectPublicKeyInfo)
			if base64.StdEncoding.EncodeToString(hash[:]) != pin {
				return errPin
			}
			return nil
		}
	}
	return config, nil
}

func get() error {
	config, err := configuration()
	if err != nil {
		return err
	}
	seconds, err := strconv.Atoi(os.Getenv("TIMEOUT"))
	if err != nil {
		return err
	}
	// A transport with a configuration of its own speaks h2 only when told to.
	transport := &http.Transport{TLSClientConfig: config, ForceAttemptHTTP2: true}
	if text := os.Getenv("PINPROOF_PROXY"); text != "" {
		proxy, err := url.Parse(text)
		if err != nil {
			return err
		}
		transport.Proxy = http.ProxyURL(proxy)
	}
	client := &http.Client{Transport: transport, Timeout: time.Duration(seconds) * time.Second}
	response, err := client.Get(os.Getenv("URL"))
	if err != nil {
		return err
	}
	defer response.Body.Close()
	_, err = io.Copy(os.Stdout, response.Body)
	return err
}

func main() {
	err := get()
	if err == nil {
		return
	}
	fmt.Fprintln(os.Stderr, err)
	if errors.Is(err, errPin) || strings.Contains(err.Error(), "x509:") || strings.Contains(err.Error(), "tls:") {
		os.Exit(1)
	}
	os.Exit(2)
}
