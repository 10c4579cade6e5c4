import Facts

/// L5: a hash of a whole leaf certificate ends with the certificate.
enum CertificateHashPin: LintCheck {
    static let entry = LintRuleBook.Entry(
        "L5", "certificate-hash-of-short-lived-leaf", .warning, "A whole certificate is pinned",
        why:
            "A renewal makes a new certificate, and a new hash, even with the same key. Certificates of public CAs live for at most 200 days now, 100 from 2027-03-15 and 47 from 2029-03-15: an app has to be updated before each.",
        fix: "Pin the key (the SHA-256 of the SubjectPublicKeyInfo), and keep it when you renew.",
        sources: ["CA/Browser Forum ballot SC-081v3"])

    static func findings(_ context: LintContext) -> [LintFinding] {
        context.pinFiles.flatMap { file -> [LintFinding] in
            let pins = file.pinsByPlace.filter { !$0.pin.kind.isOfKey && !context.isKnownCA($0.pin) }
            let found = pins.map { pin, hosts in
                let same = context.chains(near: hosts).lazy.flatMap(\.chain).first { $0.matches(pin) == true }
                let format = file.hosts.first { $0.pins.contains(pin) }?.format ?? file.format
                let life =
                    same.map { "this one ends on \($0.notAfter)" }
                    ?? "a public one lives for at most \(LintWords.days(CACalendar.maximumValidity(on: context.today)))"
                return finding(
                    in: file, line: pin.line, host: LintWords.single(hosts),
                    "\(LintWords.pin(pin)) for \(LintWords.hosts(hosts)) is the hash of a certificate, and every renewal changes it: \(life)",
                    fix: same.map {
                        "pin its key, and keep it at renewals: \(LintWords.written($0.spkiSHA256, in: format))"
                    }
                        ?? "pin the key, and keep it at renewals: pinproof pins \(hosts.first ?? "HOST") --for \(LintWords.snippet(format))"
                )
            }
            guard pins.isEmpty, !file.pinsByPlace.contains(where: { !$0.pin.kind.isOfKey }) else { return found }
            return found
                + file.notes.filter { $0.id == .certificatePins }.map { note in
                    let host = file.host(of: note)
                    return finding(
                        in: file, line: note.line, host: host,
                        "whole certificates are pinned, and every renewal changes them: \(Printable.excerpt(note.text, limit: MalformedPin.noteLimit))",
                        fix:
                            "pin keys, and keep them at renewals: pinproof pins \(host ?? "HOST") --for \(LintWords.snippet(file.format))"
                    )
                }
        }
    }
}
