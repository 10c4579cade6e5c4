import Loop
import Policy

extension ProfileError {
    /// What to do about it; each is a line of its own.
    package var hints: [String] {
        switch fault {
        case .file(.missing): ["start from a sample in profiles/, or see docs/profile.md"]
        case .file(.directory):
            ["name the profile's file in it, as \(printable(path.hasSuffix("/") ? path : path + "/"))profile.yaml"]
        case .file(.failed(let error)), .material(_, _, _, .failed(let error)):
            error.isOutOfDescriptors ? [DescriptorShortage.hint] : []
        case .file, .tooDeep, .tooManyNodes, .tooMany: []
        case .tooLarge: ["is this really a profile?"]
        case .notUTF8(let looksLikeUTF16):
            [looksLikeUTF16 ? "it looks like UTF-16: save it as UTF-8" : "save it as UTF-8"]
        case .forbiddenCharacter(let scalar): scalar.value == 0 ? ["is this really a text file?"] : ["remove it"]
        case .empty: [Self.beginHint]
        case .syntax(_, _, _, let cause): cause.hints
        case .anotherDocument:
            ["a profile is one document: remove the \"---\" and what follows, or give it a file of its own"]
        case .unquotedStar(let text) where text.allSatisfy { $0 == "*" }: PatternFault.bareStar.hints(text)
        case .unquotedStar(let text): ["put the pattern in quotes: \"\(printable(text))\""]
        case .unknownAlias(let name): ["if a pattern is meant, put it in quotes: \"*.\(printable(name))\""]
        case .tag: ["remove the tag; quotes make a value text"]

        case .unknownKey(let key, let section, let nearest): Self.unknownKeyHints(key, section, nearest)
        case .missingKey("version", _): [Self.beginHint]
        case .missingKey("expect", .rule(let host)):
            ["write \(ruleExample(host)), or accept, or tunnel", Self.expectHint]
        case .missingKey("until", .waiver): ["a waiver ends some day: until: 2027-01-31"]
        case .missingKey("reason", .waiver): ["say why, for whoever reads the report: reason: \"…\""]
        case .missingKey("finding", .waiver): ["name the finding as the report does, for instance retry-storm"]
        case .missingKey: []
        case .repeatedKey: ["remove one of them"]
        case .repeatedHost: ["keep one; case and a trailing dot make no difference"]
        case .wrongType(let subject, let found, let expected): Self.typeHints(subject, found, expected)
        case .outOfRange(.key("cold_starts", _), _, _):
            ["3 is the default; 29 in a row bound the acceptance rate at 10 %, 59 at 5 %"]
        case .outOfRange: []
        case .unknownWord(_, let subject, _, let nearest):
            (nearest.map { ["did you mean \"\($0)\"?"] } ?? []) + Self.wordHints(subject)

        case .version: ["this pinproof reads \"version: 1\""]
        case .name:
            [
                "up to 64 letters, digits, spaces and . _ - +, beginning with a letter or digit",
                "it becomes part of a folder's name",
            ]
        case .pattern(let text, let reason): reason.hints(text)
        case .pin(let text, let reason): reason.hints(text)
        case .attack(let fault): fault.hints
        case .destination(let text, _):
            text.contains("://")
                ? ["write the host alone, without \"\(printable(String(text.prefix { $0 != "/" })))//\""]
                : ["for instance 127.0.0.1:8443"]
        case .proxy: ["for instance proxy.example.com:3128"]
        case .material(_, let written, _, let state):
            written.hasPrefix("~")
                ? ["~ is not expanded here: write the path relative to the profile, or in full"]
                : state == .missing ? ["paths are relative to the profile's folder"] : []
        case .notAPair: ["write the chain and its key: [chain.pem, key.pem]"]
        case .nothingLent: ["give one of \(Section.lent("").keys.joined(separator: ", ")), or remove the entry"]
        case .waiver(_, .verdict):
            [
                "what an app does decides its verdict: change what the host's rule expects, or let it be required: false",
                "a finding can be waived: \(FindingCatalogue.waivable.prefix(4).joined(separator: ", ")), …",
            ]
        case .waiver(_, .ofTheRun): ["run again so that it does not occur"]
        case .waiver(_, .unknown(let nearest?)): ["did you mean \"\(nearest)\"?"]
        case .waiver(_, .unknown): ["findings that can be waived: \(FindingCatalogue.waivable.joined(separator: ", "))"]
        case .date: ["write it as year-month-day, and a day that exists: 2027-01-31"]

        case .filterName: ["up to 64 letters, digits and . _ -, beginning with a letter or a digit"]
        case .client(let fault): fault.hints
        case .clientCertificate(.strayPassword, _):
            ["a key in PEM has to lie there without one: openssl pkey -in client.key -out plain.key"]
        case .clientCertificate(.severalPasswords, _): ["keep one of password, password_file and password_env"]
        case .clientCertificate(.both, _): ["keep one of the two"]
        case .clientCertificate: ["name a file under pkcs12, or one under certificate and one under key"]
        case .lentWithoutRefusal(let host, _):
            ["material is lent for hosts that must refuse: \(ruleExample(host)) under hosts"]
        case .anchorsWithoutRefusal:
            ["anchors say of a host that must refuse which roots alone the app trusts for it; remove them"]
        case .controlNeverAccepted(let control, let rule, _, _):
            [
                rule == control
                    ? "a control is a host that the app contacts unpinned: choose another, or change the rule"
                    : "if the app does not pin it, give it a rule of its own: \(ruleExample(control, "accept"))"
            ]
        case .noHosts: ["name at least one under hosts: \(ruleExample("api.example.com"))"]
        case .interceptsOthers: ["name the hosts and write \"others: tunnel\", or use a general CA"]
        case .nothingToPermit: ["name hosts under hosts"]
        }
    }

    private static let beginHint = "a profile begins with \"version: 1\"; see docs/profile.md"
    private static let expectHint =
        "refuse: the app must refuse every forged chain; accept: intercepted, expected to work; tunnel: never touched"

    private static func unknownKeyHints(_ key: String, _ section: Section, _ nearest: String?) -> [String] {
        if let nearest { return ["did you mean \"\(nearest)\"?"] }
        if let known = section.keys.first(where: { key.hasPrefix($0 + " ") || key.hasPrefix($0 + ":") }) {
            return ["write \"\(known):\", and a space behind the colon"]
        }
        if key == "<<" { return ["YAML 1.2 has no merge keys: write the keys out"] }
        let homes: [(Section, String)] = [
            (.top, "at the top, not indented"), (.rule(""), "in the rule of a host"), (.upstream, "under upstream"),
            (.lent(""), "under lent, in the entry of a host"), (.client(""), "under clients, in the entry of a client"),
            (.waiver, "in an entry of waivers"),
            (.clientCertificate, "under upstream, in an entry of client_certificates"),
        ]
        if let home = homes.first(where: { $0.0.keys.contains(key) }) { return ["\"\(key)\" stands \(home.1)"] }
        if key.contains("."), HostPattern(key) != nil, section != .upstream {
            return ["hosts stand under hosts, indented: \(ruleExample(key))"]
        }
        return ["known keys here: \(section.keys.joined(separator: ", "))"]
    }

    private static func typeHints(_ subject: Subject, _ found: Found, _ expected: Shape) -> [String] {
        switch (expected, found) {
        case (_, .text(let text, _)) where subject == .file && text.hasPrefix("-----BEGIN "):
            return ["this is a certificate or a key; a profile is a file of YAML", beginHint]
        case (_, _) where subject == .file || subject == .key("version", .top): return [beginHint]
        case (.rule, let found):
            guard case .host(let host, _) = subject else { return [] }
            if case .text(let word, _) = found, HostExpectation(rawValue: word) != nil {
                return ["write \(ruleExample(host, word))"]
            }
            return ["write \(ruleExample(host)), or accept, or tunnel"]
        case (.hosts, _): return ["write one host a line, indented: \(ruleExample("api.example.com"))"]
        case (.proxy, .list), (.endpoint, .list): return ["an IPv6 address in brackets needs quotes: \"[::1]:8443\""]
        case (.endpoint, .number): return ["write the host too, for instance 127.0.0.1:8443"]
        case (_, .nothing): return ["give it a value, or leave the key out"]
        case (.boolean, .text(let text, let isQuoted)):
            guard let value = booleans[text.lowercased()] else { return [] }
            return isQuoted && text == "\(value)"
                ? ["write it without quotes: \(value)"]
                : ["YAML 1.2 has only true and false: write \(value)"]
        case (.boolean, .boolean(let text)): return ["write \(text.lowercased())"]
        case (.wholeNumber, .text(let text, _)) where Int(text) != nil: return ["write it without quotes"]
        case (.text, .number(let text)), (.host, .number(let text)), (.text, .boolean(let text)),
            (.host, .boolean(let text)):
            return ["if that is what it is called, put it in quotes: \"\(printable(text))\""]
        case (.list, .text(let text, _)): return ["write a list: [\(quoted(text))]"]
        case (.host, .map): return ["write the host alone: rules stand under hosts"]
        default: return []
        }
    }

    private static let booleans = [
        "yes": true, "no": false, "on": true, "off": false, "y": true, "n": false, "true": true, "false": false,
    ]

    private static func wordHints(_ subject: Subject) -> [String] {
        switch subject {
        case .key("expect", _): [expectHint]
        case .key("others", _):
            ["hosts not named under hosts; tunnel: untouched; accept: intercepted; report: untouched, and a finding"]
        default: []
        }
    }
}

extension ProfileError.SyntaxCause {
    var hints: [String] {
        switch self {
        case .tab: ["YAML is indented with spaces, never with tabs"]
        case .unclosed: ["is a bracket, a brace or a comma missing?"]
        case .reservedCharacter(let scalar):
            ["a value that begins with \(quoted(String(Character(scalar)))) needs quotes"]
        case .bracketedAddress: ["an IPv6 address in brackets needs quotes: \"[::1]:8443\""]
        case .missingColon: ["is a colon missing, or the space behind it?"]
        case .unexpectedColon: ["is the line before indented differently? a value with \": \" in it needs quotes"]
        case .indentation: ["keys that belong together are indented alike"]
        case .quote: ["is a quote missing?"]
        case .other: []
        }
    }
}

extension ProfileError.PatternFault {
    private static let rule = "\"*.\" in front stands for exactly one label, \"**.\" for one or more; no other star"

    func hints(_ text: String) -> [String] {
        switch self {
        case .url: ["write the host alone: \(printable(Self.hostPart(text)))"]
        case .port: ["a rule is for a host, whatever the port: \(printable(Self.hostPart(text)))"]
        case .missingSpace: ["is the space behind the colon missing?"]
        case .bareStar: ["all hosts that have no rule: \"others: accept\", tunnel or report", Self.rule]
        case .starInside: [Self.rule]
        case .starOverIP: ["name each address"]
        case .leadingDot: [Self.rule]
        case .notASCII: ["write the name as it is on the wire, in punycode (xn--…)"]
        case .notExact: ["name each host"]
        case .notAName: ["letters, digits, hyphens and dots, or an IP address"]
        }
    }

    private static func hostPart(_ text: String) -> String {
        let bare = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...]
        return String(bare.prefix { $0 != "/" && $0 != ":" && $0 != "?" })
    }
}

extension ProfileError.PinFault {
    /// Prints the base64 of a genuine host's pin; one line, to be pasted.
    private static let command =
        "openssl s_client -connect HOST:443 -servername HOST </dev/null | openssl x509 -pubkey -noout | "
        + "openssl pkey -pubin -outform DER | openssl dgst -sha256 -binary | base64"

    func hints(_ text: String) -> [String] {
        switch self {
        case .noPadding: ["write \"\(printable(text))=\""]
        case .noPrefix where Pin("sha256/" + text) != nil: ["write \"sha256/\(text)\""]
        case .base64URL: ["write + for - and / for _"]
        default:
            [
                "sha256/ and the base64 of the SHA-256 of the public key (SPKI); for a host: \(Self.command)"
            ]
        }
    }
}
