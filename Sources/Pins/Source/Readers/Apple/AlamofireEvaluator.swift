import Facts

/// What one evaluator, or one policy of version 4, checks (ServerTrustEvaluation.swift).
struct AlamofireEvaluator {
    private let host: String?

    init(file: PinFile, host: String?) { self.host = host }

    func read(_ item: SourceItem, into entry: inout DeclaredHost, _ file: inout PinFile, depth: Int = 0) {
        guard depth < 8, let call = item.call else {
            // It would hardly be in the dictionary if it did not check something.
            entry.isPinned = true
            entry.pinsKnown = false
            file.note(
                .unresolved, host: host, line: item.line, "\(item.shown) is not known: what it pins stands elsewhere")
            return
        }
        switch call.method {
        case "PinnedCertificatesTrustEvaluator", "pinnedCertificates", "pinCertificates":
            pinned(call, "certificates", line: item.line, &entry, &file)
            file.note(.certificatePins, host: host, line: item.line, "pinned by whole certificates, not by keys")
        case "PublicKeysTrustEvaluator", "publicKeys", "pinPublicKeys":
            pinned(
                call, call.method == "publicKeys" || call.method.hasSuffix("Evaluator") ? "keys" : "publicKeys",
                line: item.line, &entry, &file)
        case "CompositeTrustEvaluator", "composite":
            guard let parts = call.argument("evaluators")?.list else {
                entry.isPinned = true
                entry.pinsKnown = false
                file.note(
                    .unresolved, host: host, line: item.line,
                    "the evaluators of \(call.method) are not known in this file")
                return
            }
            for part in parts { read(part, into: &entry, &file, depth: depth + 1) }
        case "DisabledTrustEvaluator", "DisabledEvaluator", "disableEvaluation":
            file.set(.trustsEverything, host: host, line: item.line, "\(call.method)()")
            file.set(.chainCheckOff, host: host, line: item.line, "\(call.method)()")
        case "DefaultTrustEvaluator", "RevocationTrustEvaluator", "revocationChecking", "performDefaultEvaluation",
            "performRevokedEvaluation":
            checks(call, line: item.line, &file)
        default:
            entry.isPinned = true
            entry.pinsKnown = false
            file.note(
                .unresolved, host: host, line: item.line,
                "\(call.method) is an evaluator of the app's own: what it pins is not known")
        }
    }

    private func pinned(
        _ call: SourceCall, _ label: String, line: Int, _ entry: inout DeclaredHost, _ file: inout PinFile
    ) {
        entry.isPinned = true
        entry.pinsKnown = false
        checks(call, line: line, &file)
        let given = call.argument(label)
        if given?.list?.isEmpty == true {
            file.note(
                .neverMatches, host: host, line: line,
                "\(call.method) is given no \(label): every connection to the host fails")
            return
        }
        let what = given.map(\.shown) ?? "the certificates in the app's bundle"
        file.note(.unresolved, host: host, line: line, "the pinned \(label) are \(what): they are not in this file")
    }

    /// What the flags leave out.
    private func checks(_ call: SourceCall, line: Int, _ file: inout PinFile) {
        func flag(_ label: String, _ kind: PinSetting.Kind, when off: Bool) {
            guard let value = call.argument(label), value.bool == off else { return }
            file.set(kind, host: host, line: value.line, "\(label): \(off)")
        }
        flag("validateHost", .nameCheckOff, when: false)
        flag("performDefaultValidation", .chainCheckOff, when: false)
        flag("validateCertificateChain", .chainCheckOff, when: false)
        flag("acceptSelfSignedCertificates", .chainCheckOff, when: true)
    }
}
