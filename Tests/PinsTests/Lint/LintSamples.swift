import Facts

@testable import Pins

/// Values that the linter's tests are made of.
enum LintSamples {
    static let today = CalendarDate(year: 2026, month: 11, day: 26)

    /// 32 bytes without any order, another for each number.
    static func digest(_ number: Int, size: Int = 32) -> [UInt8] {
        (0..<size).map { UInt8((number * 73 + $0 * $0 * 7 + $0 * 29 + 5) % 251) }
    }

    static func pin(
        _ number: Int, _ kind: DeclaredPin.Kind = .spkiSHA256, _ part: DeclaredPin.Part = .any, line: Int? = nil
    ) -> DeclaredPin {
        let digest = digest(number, size: kind.size)
        return DeclaredPin(kind, part: part, text: Base64.encode(digest), digest: digest, line: line ?? number)
    }

    static func pin(_ base64: String, _ part: DeclaredPin.Part = .any, line: Int = 1) -> DeclaredPin {
        DeclaredPin(base64: base64, part: part, line: line)
    }

    static func root(_ name: String, line: Int = 1) -> DeclaredPin {
        let key = KnownRoot.all.first { $0.name == name }?.key ?? []
        return DeclaredPin(.spkiSHA256, text: Base64.encode(key), digest: key.isEmpty ? nil : key, line: line)
    }

    static let below: DeclaredHost.Reach = [.itself, .descendants]

    static func host(
        _ domain: String? = "api.example.com", _ reach: DeclaredHost.Reach = .itself, _ pins: [DeclaredPin],
        isEnforced: Bool = true, expires: String? = nil, _ format: PinFormat = .androidNSC, line: Int = 3
    ) -> DeclaredHost {
        DeclaredHost(
            domain, reach, pins: pins, isEnforced: isEnforced, expires: expires.flatMap { CalendarDate($0) },
            format: format, line: line)
    }

    static func file(
        _ hosts: [DeclaredHost] = [], _ settings: [PinSetting] = [], _ format: PinFormat = .androidNSC,
        path: String = "res/xml/pins.xml", notes: [PinNote] = []
    ) -> PinFile {
        PinFile(path: path, format: format, hosts: hosts, notes: notes, settings: settings)
    }

    /// Two keys for one host: nothing to complain of.
    static func good(_ format: PinFormat = .androidNSC) -> DeclaredHost {
        host("api.example.com", [pin(1), pin(2)], format)
    }

    static func host(_ domain: String, _ pins: [DeclaredPin], _ format: PinFormat) -> DeclaredHost {
        host(domain, .itself, pins, format)
    }

    static func findings(_ files: [PinFile], _ situation: LintSituation? = nil) -> [LintFinding] {
        PinLint.findings(files, situation ?? LintSituation(today: today))
    }

    static func found(_ id: String, _ file: PinFile, _ situation: LintSituation? = nil) -> LintFinding? {
        findings([file], situation).first { $0.rule.id == id }
    }

    // MARK: chains

    static func certificate(
        _ role: GenuineCertificate.Role, _ subject: String, by issuer: String, key: [UInt8],
        from: String = "2026-11-01", to: String = "2027-01-30"
    ) -> GenuineCertificate {
        GenuineCertificate(
            role, subject: subject, issuer: issuer, key: "EC-P256", notBefore: CalendarDate(from) ?? today,
            notAfter: CalendarDate(to) ?? today, spkiSHA256: key, spkiSHA1: Array(key.prefix(20)),
            certificateSHA256: key.reversed(), certificateSHA1: Array(key.reversed().prefix(20)))
    }

    /// Leaf with `digest(leaf)`, intermediate with `digest(90)`, of a private CA whose root is shown with `digest(91)`.
    static func privateChain(leaf: Int = 1) -> [GenuineCertificate] {
        [
            certificate(.leaf, "CN=api.example.com", by: "CN=Own Issuing,O=Own", key: digest(leaf)),
            certificate(.intermediate, "CN=Own Issuing,O=Own", by: "CN=Own Root,O=Own", key: digest(90)),
            certificate(.root, "CN=Own Root,O=Own", by: "CN=Own Root,O=Own", key: digest(91)),
        ]
    }

    /// As Google Trust Services serves it: WR1, and GTS Root R1 by GlobalSign Root CA.
    static func googleChain(leaf: Int = 1) -> [GenuineCertificate] {
        let google = "O=Google Trust Services,C=US"
        let r1 = "CN=GTS Root R1,O=Google Trust Services LLC,C=US"
        return [
            certificate(.leaf, "CN=api.example.com", by: "CN=WR1,\(google)", key: digest(leaf)),
            certificate(.intermediate, "CN=WR1,\(google)", by: r1, key: digest(80), to: "2029-02-20"),
            certificate(
                .intermediate, r1, by: "CN=GlobalSign Root CA,OU=Root CA,O=GlobalSign nv-sa,C=BE",
                key: root("GTS Root R1").digest ?? [], to: "2028-01-28"),
        ]
    }

    static func situation(_ chain: [GenuineCertificate], host: String = "api.example.com") -> LintSituation {
        LintSituation(today: today, chains: [host: chain])
    }
}
