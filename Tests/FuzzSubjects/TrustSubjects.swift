import Facts
import Pins
import Policy
import Profiles
import TLS

/// Certificates, and what says which of them to trust.
extension FuzzSubject {
    static let profiles = FuzzSubject("profiles") { input in
        do throws(ProfileErrors) {
            let text = String(decoding: input, as: UTF8.self)
            let loaded = try ProfileLoader.parse(text: text, path: "p.yaml", files: FileState.assumed)
            _ = loaded.profile
        } catch {
            try expect(!"\(error)".isEmpty, "a profile that is refused without a word")
        }
    }

    static let pinFiles = FuzzSubject("pin-files", limit: 8192) { input in
        let content = PinFileContent(input)
        _ = FormatRecogniser.isProfile(content)
        do throws(PinFileFault) {
            let files = try FormatRecogniser.standard.read(content, path: "file")
            let lines = 1 + input.count { $0 == 10 || $0 == 13 }
            for pin in files.flatMap(\.hosts).flatMap(\.pins) {
                try expectLine(pin.line, lines)
            }
            let found = PinImport(files)
            _ = (found.json, found.text)
            guard let today = CalendarDate("2026-07-01") else { return }
            _ = PinLint.findings(files, LintSituation(today: today))
            _ = ProfileWriter(files, today: today).text
        } catch {
            if error.message.isEmpty { fatalError("a file that is refused without a word") }
        }
    }

    private static func expectLine(_ line: Int, _ lines: Int) throws(PinFileFault) {
        if line < 1 || line > lines { fatalError("a pin at line \(line) of \(lines)") }
    }

    /// DER, and PEM where it says so.
    static let certificates = FuzzSubject("certificates") { input in
        guard let certificate = try? Certificate(der: input) else { return }
        try expectEqual(certificate.der, input, "the DER of a certificate")
        _ = (certificate.subject, certificate.issuer, certificate.spkiSHA256Base64, certificate.keyType)
        _ = (certificate.notBefore, certificate.notAfter, certificate.isAuthority, certificate.permitsServers)
        _ = (certificate.commonName, certificate.hasServerName, certificate.pem)
        if let host = HostName("api.example.com") { _ = certificate.isFor(host) }
        _ = certificate.signed(certificate)
        let chain = GenuineChain([certificate])
        try expectEqual(chain.sha256, [certificate.sha256], "the facts of a chain")
    }

    static let pinMaterial = FuzzSubject("pin-material", limit: 8192) { input in
        _ = try? PinMaterialReader.read(input)
        _ = try? PinMaterialReader.read(input, password: "changeit")
    }

    /// Whatever an origin shows: what is forged like it is a sound certificate for the host, or it is said why not.
    static let forging = FuzzSubject("forging") { input in
        guard let certificate = try? Certificate(der: input), let host = HostName("api.example.com") else { return }
        let forge = Forge(try Workshop.material.get())
        for attack in AttackCatalogue.all {
            for variant in attack.variants {
                guard
                    let chain = try? forge.chain(
                        for: host, attack: attack, variant: variant, rsaLeaf: false,
                        genuine: GenuineChain([certificate]), now: Workshop.now)
                else { continue }
                try expect(!chain.certificates.isEmpty, "an empty chain of \(attack.name(of: variant))")
                for made in chain.certificates {
                    try expectEqual(try Certificate(der: made.der), made, "a forged certificate that is read again")
                }
            }
        }
    }
}

/// What forging needs once.
private enum Workshop {
    static let now = 1_780_272_000.0
    static let material = Result { try ForgeMaterial(.general(now: now)) }
}
