/// L20: hashes that can be broken, or that nobody reads any longer.
enum SHA1Pin: LintCheck {
    static let entry = LintRuleBook.Entry(
        "L20", "sha1-pin", .warning, "A pin is a SHA-1 or MD5 hash",
        why:
            "SHA-1 and MD5 can be collided with money: who may have a certificate issued can prepare two keys with one hash. Newer versions of libraries read such pins no longer.",
        fix: "Replace it by the SHA-256 of the same key.", sources: ["https://shattered.io/"])

    static func findings(_ context: LintContext) -> [LintFinding] {
        context.pinFiles.flatMap { file in
            file.pinsByPlace.filter { $0.pin.kind.size < 32 }.map { pin, hosts in
                let same = context.chains(near: hosts).lazy.flatMap(\.chain).first { $0.matches(pin) == true }
                let format = file.hosts.first { $0.pins.contains(pin) }?.format ?? file.format
                return finding(
                    in: file, line: pin.line, host: LintWords.single(hosts),
                    "\(LintWords.pin(pin)) for \(LintWords.hosts(hosts)) is a hash of \(pin.kind.size) bytes that can be forged with money",
                    fix: same.map { "write \(LintWords.written($0.spkiSHA256, in: format)) instead" }
                        ?? "write the SHA-256 of the same key instead: pinproof pins \(hosts.first ?? "HOST")")
            }
        }
    }
}
