// Go's net/http, pinned in tls.Config.VerifyPeerCertificate, after Go's own verification; an argument names a way of
// ways.go instead.
package main

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
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

// certificates reads a PEM file; none when there is none.
func certificates(file string) (found []*x509.Certificate) {
	text, _ := os.ReadFile(file)
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if certificate, err := x509.ParseCertificate(block.Bytes); err == nil {
			found = append(found, certificate)
		}
	}
	return found
}

func configuration() (*tls.Config, error) {
	roots, pool := certificates(os.Getenv("CAFILE")), x509.NewCertPool()
	for _, root := range roots {
		pool.AddCert(root)
	}
	config := &tls.Config{RootCAs: pool}
	if pin := os.Getenv("PIN"); pin != "" {
		config.VerifyPeerCertificate = func(_ [][]byte, verified [][]*x509.Certificate) error {
			hash := sha256.Sum256(verified[0][0].RawSubjectPublicKeyInfo)
			if base64.StdEncoding.EncodeToString(hash[:]) != pin {
				return errPin
			}
			return nil
		}
	}
	name := ""
	if len(os.Args) > 1 {
		name = os.Args[1]
	}
	way, known := ways[name]
	if !known {
		return nil, fmt.Errorf("no such way: %s", name)
	}
	way(config, roots)
	return config, nil
}

// requests is how often it asks; each time on a connection of its own.
func requests() int {
	if len(os.Args) > 1 && os.Args[1] == "session-cache" {
		return 2
	}
	return 1
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
	transport.DisableKeepAlives = requests() > 1
	if text := os.Getenv("PINPROOF_PROXY"); text != "" {
		proxy, err := url.Parse(text)
		if err != nil {
			return err
		}
		transport.Proxy = http.ProxyURL(proxy)
	}
	client := &http.Client{Transport: transport, Timeout: time.Duration(seconds) * time.Second}
	for left := requests(); left > 0 && err == nil; left-- {
		err = fetch(client)
	}
	return err
}

func fetch(client *http.Client) error {
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
