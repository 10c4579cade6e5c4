import Testing

@testable import Inspector

@Suite("TrustAnswer")
struct TrustAnswerTests {
    private func answer(
        _ reading: TrustClient.Reading, _ exit: Int, _ output: String, _ errors: String = "", hasGoodDates: Bool = true
    ) -> TrustAnswer {
        TrustAnswer(ProgramRun(exit: exit, output: output, errors: errors), reading, hasGoodDates: hasGoodDates)
    }

    @Test("who fetches the page and verifies it trusts the CA")
    func trusted() {
        #expect(answer(.script, 0, "answer 200\n") == .trusted)
        #expect(answer(.script, 0, "Picked up JAVA_TOOL_OPTIONS: -Da=b\nanswer 200\n") == .trusted)
        #expect(answer(.curl, 0, "200 0") == .trusted)
        #expect(answer(.wget, 0, "", "URL:https://check.pinproof.test/ [17/17] -> \"/dev/null\" [1]") == .trusted)
    }

    @Test("a client that was told to verify nothing does not pass for one that trusts")
    func insecure() {
        #expect(answer(.curl, 0, "200 19") == .notTrusted)
        #expect(answer(.script, 0, "failed SELF_SIGNED_CERT_IN_CHAIN\n") == .notTrusted)
    }

    @Test(
        "each library's words for an issuer that nobody knows are no trust",
        arguments: [
            "failed <urlopen error [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate in certificate chain (_ssl.c:1006)>",
            "failed HTTPSConnectionPool(host='check.pinproof.test', port=443): Max retries exceeded with url: / (Caused by SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: unable to get local issuer certificate (_ssl.c:1006)')))",
            "failed UNABLE_TO_VERIFY_LEAF_SIGNATURE unable to verify the first certificate",
            "failed x509: certificate signed by unknown authority",
            "failed javax.net.ssl.SSLHandshakeException: PKIX path building failed: sun.security.provider.certpath.SunCertPathBuilderException: unable to find valid certification path to requested target",
            "failed OpenSSL::SSL::SSLError SSL_connect returned=1 errno=0 peeraddr=127.0.0.1:1 state=error: certificate verify failed (unable to get local issuer certificate)",
            "failed file_get_contents(): SSL operation failed with code 1. OpenSSL Error messages:\nerror:0A000086:SSL routines::certificate verify failed",
            "failed ERROR: The certificate of 'check.pinproof.test' doesn't have a known issuer.",
        ])
    func strangers(words: String) { #expect(answer(.script, 0, words) == .notTrusted) }

    @Test("curl and wget say it by words and by status")
    func tools() {
        let curl = "curl: (60) SSL certificate problem: unable to get local issuer certificate"
        #expect(answer(.curl, 60, "000 20", curl) == .notTrusted)
        #expect(answer(.wget, 5, "", "ERROR: cannot verify check.pinproof.test's certificate") == .notTrusted)
    }

    @Test("a refusal for dates or for the name is no matter of trust")
    func refused() {
        #expect(
            answer(.script, 0, "failed x509: certificate has expired or is not yet valid: current time 2026-01-01")
                == .refused(.dates))
        #expect(answer(.curl, 60, "000 10", "SSL certificate problem: certificate has expired") == .refused(.dates))
        #expect(answer(.script, 0, "failed CERT_NOT_YET_VALID certificate is not yet valid") == .refused(.dates))
        let name =
            "curl: (60) SSL: no alternative certificate subject name matches target host name 'check.pinproof.test'"
        #expect(answer(.curl, 60, "000 0", name) == .refused(.name))
        let owner = "The certificate's owner does not match hostname ‘check.pinproof.test’"
        #expect(answer(.wget, 5, "", owner) == .refused(.name))
        let old = "ERROR: The certificate of ‘x’ is not trusted.\nERROR: The certificate of ‘x’ has expired."
        #expect(answer(.wget, 5, "", old) == .refused(.dates))
        #expect(answer(.script, 0, "failed ERR_TLS_CERT_ALTNAME_INVALID Hostname/IP does not match") == .refused(.name))
    }

    @Test("a refusal without a reason is believed to be about trust only where the dates are good")
    func unsaid() {
        let words = "failed error:0A000086:SSL routines::certificate verify failed"
        #expect(answer(.script, 0, words) == .notTrusted)
        #expect(answer(.script, 0, words, hasGoodDates: false) == .refused(.unsaid))
    }

    @Test("what does not get as far as the certificate says nothing of trust")
    func unknown() {
        let proxy = TrustAnswer.unknown("it did not get through the proxy")
        #expect(answer(.script, 0, "failed proxy ECONNREFUSED") == proxy)
        #expect(answer(.script, 0, "failed <urlopen error Tunnel connection failed: 502 Bad Gateway>") == proxy)
        let curl = answer(.curl, 56, "000 0", "curl: (56) CONNECT tunnel failed, response 502")
        #expect(curl == .unknown("it did not get through the proxy (exit status 56)"))
        #expect(answer(.curl, 28, "000 0", "curl: (28) Operation timed out") == .unknown("it got no answer in time"))
        #expect(answer(.script, 139, "") == .unknown("it failed for another reason (exit status 139)"))
        #expect(
            answer(.script, 0, "answer 502") == .unknown("it was answered 502, where the proxy's own page answers 200"))
        #expect(
            answer(.curl, 2, "", "curl: option --noproxy: unknown")
                == .unknown("it failed for another reason (exit status 2)"))
    }

    @Test("what a program lacks for it makes it absent")
    func absent() {
        #expect(answer(.script, 0, "absent\n") == .absent)
        #expect(
            answer(.script, 1, "", "The operation couldn’t be completed. Unable to locate a Java Runtime.") == .absent)
    }
}
