var pins = map[string]string{"example.com": "+oWY7EmKgBe9D8yQ/ETGiH62Hm0WUlHodB7skGqPhvk="}
tls.Config{InsecureSkipVerify: true, VerifyPeerCertificate: func(raw [][]byte, _ [][]*x509.Certificate) error { return nil }}
