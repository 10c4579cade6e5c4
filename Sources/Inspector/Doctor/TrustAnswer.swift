import Facts

/// How one run of a program ended.
struct ProgramRun: Hashable, Sendable {
    /// As a shell says it: 128 and the number for a signal.
    var exit: Int
    var output = ""
    var errors = ""
}

/// What a client makes of the CA.
enum TrustAnswer: Hashable, Sendable {
    case trusted
    case notTrusted
    /// It refused the certificate, and not for want of trust.
    case refused(Refusal)
    /// Something else was in the way: it says nothing of trust.
    case unknown(String)
    /// The program, or what it needs for this, is not there.
    case absent

    enum Refusal: Hashable, Sendable {
        case dates, name
        /// It does not say why, and the CA's dates are not good here.
        case unsaid
    }

    /// - Parameter hasGoodDates: the CA is valid by this machine's clock, so that a refusal without a reason is no matter of
    ///   dates.
    init(_ run: ProgramRun, _ reading: TrustClient.Reading, hasGoodDates: Bool) {
        switch Self.status(run, reading) {
        case .answered(200, isVerified: true): self = .trusted
        case .answered(200, isVerified: false): self = .notTrusted
        case .answered(let status, _):
            self = .unknown("it was answered \(status), where the proxy's own page answers 200")
        case .absent: self = .absent
        case .failed(let words): self.init(words: words, run, reading, hasGoodDates)
        }
    }

    private enum Ending {
        case answered(Int, isVerified: Bool)
        case failed(String)
        case absent
    }

    private static func status(_ run: ProgramRun, _ reading: TrustClient.Reading) -> Ending {
        let said = run.output + "\n" + run.errors
        switch reading {
        case .curl:
            let words = run.output.split(whereSeparator: \.isWhitespace)
            guard run.exit == 0, words.count == 2, let status = Int(words[0]) else { return .failed(run.errors) }
            return .answered(status, isVerified: words[1] == "0")
        case .wget: return run.exit == 0 ? .answered(200, isVerified: true) : .failed(said)
        case .script:
            for line in run.output.split(whereSeparator: \.isNewline) {
                let words = line.split(separator: " ")
                if words.first == "absent", words.count == 1 { return .absent }
                if words.first == "answer", words.count == 2, let status = Int(words[1]) {
                    return .answered(status, isVerified: true)
                }
            }
            return .failed(said)
        }
    }

    private init(words: String, _ run: ProgramRun, _ reading: TrustClient.Reading, _ hasGoodDates: Bool) {
        let words = words.lowercased()
        func says(_ phrases: [String]) -> Bool { phrases.contains { words.contains($0) } }
        if says(Self.absence) {
            self = .absent
        } else if says(Self.dates) {
            self = .refused(.dates)
        } else if says(Self.names) {
            self = .refused(.name)
        } else if says(Self.strangers) {
            self = .notTrusted
        } else if says(Self.doubts) || reading == .curl && run.exit == 60 || reading == .wget && run.exit == 5 {
            self = hasGoodDates ? .notTrusted : .refused(.unsaid)
        } else if says(Self.proxies) {
            self = .unknown("it did not get through the proxy" + Self.exit(run))
        } else if says(["timed out", "timeout", "no answer"]) || reading == .curl && run.exit == 28 {
            self = .unknown("it got no answer in time")
        } else {
            self = .unknown("it failed for another reason" + Self.exit(run))
        }
    }

    private static func exit(_ run: ProgramRun) -> String { run.exit == 0 ? "" : " (exit status \(run.exit))" }

    // MARK: What clients and their libraries say, in lower case

    /// Stand-ins that some systems have for what is not installed.
    private static let absence = ["unable to locate a java runtime", "xcode-select: "]

    private static let dates = [
        "has expired", "not yet valid", "not yet activated", "not yet been activated", "cert_has_expired",
        "cert_not_yet_valid",
        "certificateexpiredexception", "certificatenotyetvalidexception", "expired certificate",
    ]

    private static let names = [
        "hostname mismatch", "no alternative certificate subject name", "err_tls_cert_altname_invalid",
        "certificate is valid for", "no subject alternative", "does not match target host name",
        "does not match host name", "does not match hostname", "no certificate subject alternative name",
        "doesn't match requested host name", "did not match expected",
    ]

    /// OpenSSL's, GnuTLS's, Node's, Go's, Java's and NSS's words for an issuer that nobody knows.
    private static let strangers = [
        "unable to get local issuer", "unable to get issuer certificate", "unable_to_get_issuer_cert",
        "self-signed certificate", "self signed certificate", "self_signed_cert", "unable to verify the first",
        "unable to verify leaf", "unable_to_verify_leaf_signature", "certificate signed by unknown authority",
        "unable to find valid certification path", "hasn't got a known issuer", "doesn't have a known issuer",
        "certificate issuer is unknown", "signer not found", "unable to locally verify the issuer", "unknown_issuer",
        "certificate is not trusted", "unknown ca",
    ]

    /// It came no further than the proxy.
    private static let proxies = [
        "tunnel", "failed proxy", "proxy connect", "to proxy", "through proxy", "from proxy", "resolve proxy",
        "proxyerror",
    ]

    /// A refusal without its reason.
    private static let doubts = [
        "certificate verify failed", "certificate_verify_failed", "certificate verification failed",
        "pkix path", "peer certificate cannot be authenticated",
    ]
}
