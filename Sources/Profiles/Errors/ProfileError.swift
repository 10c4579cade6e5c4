import Facts

import Policy

/// One thing that is wrong with a profile, as facts; `description` puts it into words.
///
///     error: profiles/strict.yaml:7:1: unknown key "hots"
///     hint: did you mean "hosts"?
package struct ProfileError: Error, Hashable, Sendable {
    package var fault: Fault
    /// As the user named it.
    package var path: String
    /// nil where the file as a whole is meant.
    package var place: Place?

    package init(_ fault: Fault, path: String, place: Place?) {
        self.fault = fault
        self.path = path
        self.place = place
    }

    package enum Fault: Hashable, Sendable {
        // The file.
        case file(FileState)
        case tooLarge(bytes: Int)
        case notUTF8(looksLikeUTF16: Bool)
        case forbiddenCharacter(Unicode.Scalar)
        case empty

        // YAML.
        case syntax(problem: String, context: String?, contextLine: Int?, cause: SyntaxCause)
        case anotherDocument
        case unquotedStar(String)
        case unknownAlias(String)
        case tag(String)
        case tooDeep
        case tooManyNodes

        // Keys and types.
        case unknownKey(String, Section, nearest: String?)
        case missingKey(String, Section)
        case repeatedKey(String, Section, firstLine: Int)
        case repeatedHost(String, in: String, canonical: String, firstLine: Int)
        case wrongType(Subject, found: Found, expected: Shape)
        case outOfRange(Subject, found: String, ClosedRange<Int>)
        case unknownWord(String, Subject, allowed: [String], nearest: String?)
        case tooMany(String, count: Int, limit: Int)

        // Values.
        case version(String)
        case name(String)
        case pattern(String, PatternFault)
        case pin(String, PinFault)
        case attack(AttackWordFault)
        case destination(String, of: String)
        case proxy(String, ProxyFault)
        case material(Subject, written: String, resolved: String, FileState)
        case notAPair(host: String, count: Int)
        case nothingLent(host: String)
        case client(ClientFault)
        case clientCertificate(ClientCertificateFault, host: String)
        case waiver(String, WaiverFault)
        case date(String)
        case filterName(String)

        // What cannot be meant.
        case lentWithoutRefusal(host: String, expect: HostExpectation?)
        case anchorsWithoutRefusal(host: String, expect: HostExpectation)
        case controlNeverAccepted(control: String, rule: String, expect: HostExpectation, ruleLine: Int)
        case noHosts
        case interceptsOthers
        case nothingToPermit
    }
}

extension ProfileError {
    /// Where a key stands.
    package enum Section: Hashable, Sendable {
        case top, upstream, waiver, clientCertificate
        case rule(String)
        case lent(String)
        /// All of them, and one.
        case clients, client(String)
        case filters, mutes

        package var keys: [String] {
            switch self {
            case .top:
                [
                    "version", "name", "hosts", "others", "controls", "attacks", "cold_starts", "resolve",
                    "same_anchors", "only_pins", "lent", "upstream", "clients", "waivers", "filters", "mutes",
                ]
            case .rule: ["expect", "pins", "anchors", "required", "reports_to", "update"]
            case .waiver: ["finding", "host", "until", "reason"]
            case .lent: ["backup_key", "same_ca_chain", "other_host"]
            case .upstream: ["roots", "proxy", "client_certificates"]
            case .clientCertificate:
                ["host", "pkcs12", "password", "password_file", "password_env", "certificate", "key"]
            case .clients, .filters, .mutes: []
            case .client: ["user", "password", "listen", "address"]
            }
        }
    }

    /// What a value belongs to.
    package enum Subject: Hashable, Sendable {
        case file
        case key(String, Section)
        /// The value that a host of `hosts`, `resolve` or `lent`, or a client of `clients`, is mapped to.
        case host(String, in: String)
        case entry(of: String, Section)
        /// A key itself.
        case aKey(of: String)
    }

    /// What stands there, read as YAML 1.2 does.
    package enum Found: Hashable, Sendable {
        case nothing, list, map
        case text(String, quoted: Bool)
        case number(String)
        case boolean(String)
    }

    /// What should stand there.
    package enum Shape: Hashable, Sendable {
        case map, hosts, rule, client, list, text, host, boolean, wholeNumber, attacks, endpoint, proxy, waiver, date
        case clientCertificate
    }

    /// What most likely made the YAML unreadable.
    package enum SyntaxCause: Hashable, Sendable {
        case tab, unclosed, reservedCharacter(Unicode.Scalar), bracketedAddress, missingColon, unexpectedColon
        case indentation, quote, other
    }

    package enum PatternFault: Hashable, Sendable {
        case url, port, missingSpace, bareStar, starInside, starOverIP, leadingDot, notASCII, notExact, notAName
    }

    package enum PinFault: Hashable, Sendable {
        case sha1, hexadecimal, noPrefix, noPadding, base64URL, notCanonical
        case notBase64(Unicode.Scalar)
        case wrongLength(bytes: Int)
    }

    /// Why something cannot be waived.
    package enum WaiverFault: Hashable, Sendable {
        /// It is a verdict's word.
        case verdict
        /// A finding about the run itself.
        case ofTheRun
        case unknown(nearest: String?)
    }

    /// Why an entry of `client_certificates` names no certificate with its key.
    package enum ClientCertificateFault: Hashable, Sendable {
        case nothing, both, noKey, noCertificate
        /// A password for a key that has none.
        case strayPassword
        case severalPasswords
    }

    package enum ProxyFault: Error, Hashable, Sendable {
        case scheme(String)
        case credentials, noPort, notAnEndpoint
    }
}

extension ProfileError {
    /// The system could not read a file, which is not the profile's mistake.
    var isOfTheSystem: Bool {
        switch fault {
        case .file(.failed), .material(_, _, _, .failed): true
        default: false
        }
    }
}

/// Everything that is wrong with one profile, in the order of its lines; never empty.
package struct ProfileErrors: Error, Hashable, Sendable, CustomStringConvertible {
    /// So that a binary taken for a profile does not flood a CI log.
    package static let shownAtMost = 20

    package let errors: [ProfileError]

    /// Sorted, and without what an alias made appear twice.
    init(_ errors: [ProfileError]) {
        var seen: Set<ProfileError> = []
        self.errors = errors.filter { seen.insert($0).inserted }
            .sorted { ($0.place ?? Place(0, 0)) < ($1.place ?? Place(0, 0)) }
    }

    package var description: String {
        let shown = errors.prefix(Self.shownAtMost).map(\.description)
        let more = errors.count - shown.count
        return (shown + (more > 0 ? ["error: \(errors[0].path): and \(more) more"] : [])).joined(separator: "\n")
    }
}

extension ProfileErrors: ExplainedError {
    package var cause: ErrorCause { errors.contains(where: \.isOfTheSystem) ? .environment : .configuration }

    package var explanations: [Explanation] {
        let shown = errors.prefix(Self.shownAtMost).map { error in
            Explanation("\(error.path)\(error.place.map { ":\($0)" } ?? ""): \(error.message)", hints: error.hints)
        }
        let more = errors.count - shown.count
        let path = errors.first?.path ?? "profile"
        return shown + (more > 0 ? [Explanation("\(path): and \(more) more")] : [])
    }
}
