import Facts
import Loop
import Policy

extension ProfileError: CustomStringConvertible {
    /// One `error:` line, and each hint on a line of its own.
    package var description: String {
        let position = place.map { ":\($0)" } ?? ""
        return (["error: \(printable(path))\(position): \(message)"] + hints.map { "hint: \($0)" })
            .joined(separator: "\n")
    }

    /// What is wrong, without file and position.
    package var message: String {
        switch fault {
        case .file(let state): state.words
        case .tooLarge(let bytes):
            "\(bytes) bytes are too many for a profile, the limit is \(SourceText.maxBytes)"
        case .notUTF8: "not UTF-8 text"
        case .forbiddenCharacter(let scalar): "character \(codePoint(scalar)) is not allowed in a profile"
        case .empty: "the profile is empty"
        case .syntax(let problem, let context, let line, _):
            "not YAML: \(problem)" + (context.map { ", \($0)" } ?? "")
                + (line.map { " that begins in line \($0)" } ?? "")
        case .anotherDocument: "a second YAML document begins here"
        case .unquotedStar(let text): "\(quoted(text)) stands without quotes, and YAML takes a leading * for an alias"
        case .unknownAlias(let name): "no anchor \(quoted("&" + name)) for the alias \(quoted("*" + name))"
        case .tag(let tag): "the YAML tag \(quoted(tag)) has no meaning in a profile"
        case .tooDeep: "nested deeper than \(TreeBuilder.maxDepth) levels"
        case .tooManyNodes: "more than \(TreeBuilder.maxNodes) values, aliases written out"

        case .unknownKey(let key, let section, _): "unknown key \(quoted(key))\(section.words)"
        case .missingKey(let key, let section): "\(quoted(key)) is missing\(section.words)"
        case .repeatedKey(let key, let section, let line):
            "\(quoted(key)) is repeated\(section.words), first given in line \(line)"
        case .repeatedHost(let host, let list, let canonical, let line):
            "host \(quoted(host)) is repeated under \(list), first given in line \(line)"
                + (host == canonical ? "" : " (both are \(canonical))")
        // Whatever stands there in a profile's place, a key perhaps, is not repeated.
        case .wrongType(.file, .text, let expected): "the profile is one text, not \(expected.words)"
        case .wrongType(let subject, let found, let expected):
            "\(subject.words) is \(found.words), not \(expected.words)"
        case .outOfRange(let subject, let found, let range):
            "\(subject.words) is \(printable(found)), not a whole number "
                + "from \(range.lowerBound) to \(range.upperBound)"
        case .unknownWord(let word, let subject, let allowed, _):
            "\(subject.words) is \(quoted(word)), not \(English.list(allowed, "or"))"
        case .tooMany(let key, let count, let limit): "\(quoted(key)) has \(count) entries, the limit is \(limit)"

        case .version(let found): "version \(printable(found)) is not known"
        case .name(let text): "\(quoted(text)) cannot be a name"
        case .pattern(let text, let reason): "\(quoted(text)) is not a host\(reason.words)"
        case .pin(let text, let reason): "\(quoted(text)) is not a pin: \(reason.words)"
        case .attack(let fault): fault.message
        case .destination(let text, let host):
            "\(quoted(text)) is not a destination for \(printable(host)): expected host, host:port or \"[v6]:port\""
        case .proxy(let text, let reason):
            "\(quoted(withoutCredentials(text))) cannot be the upstream proxy: \(reason.words)"
        case .material(let subject, let written, let resolved, let state):
            "\(subject.words): \(quoted(written)) \(state.predicate) (looked for \(printable(resolved)))"
        case .notAPair(let host, let count):
            "\"other_host\"\(Section.lent(host).words) has \(English.count(count, "entry", plural: "entries")), not 2"
        case .nothingLent(let host): "nothing is lent for \(printable(host))"
        case .client(let fault): fault.message
        case .clientCertificate(let fault, let host): "the client certificate for \(printable(host)) \(fault.words)"
        case .waiver(let id, .verdict): "\(quoted(id)) is a verdict, and a verdict cannot be waived"
        case .waiver(let id, .ofTheRun): "\(quoted(id)) is about the run itself, and cannot be waived"
        case .waiver(let id, .unknown): "no finding is called \(quoted(id))"
        case .date(let text): "\(quoted(text)) is not a date"
        case .filterName(let text): "\(quoted(text)) cannot be a filter's name"

        case .lentWithoutRefusal(let host, let expect):
            "lent material for \(printable(host)) is never used: "
                + (expect.map { "its rule expects \($0.rawValue)" } ?? "no rule under hosts covers it")
        case .anchorsWithoutRefusal(let host, let expect):
            "anchors of \(printable(host)) are never used: its rule expects \(expect.rawValue)"
        case .controlNeverAccepted(let control, let rule, let expect, let line):
            "control \(quoted(control)) cannot show trust in the CA: "
                + "line \(line) expects \(expect.rawValue) for \(quoted(rule))"
        case .noHosts: "names no hosts to judge"
        case .interceptsOthers:
            "\"others: accept\" intercepts hosts that a CA made for this profile only cannot sign for"
        case .nothingToPermit: "names no host that a CA could be limited to"
        }
    }
}

extension FileState {
    var words: String {
        switch self {
        case .readable: "is readable"
        case .missing: "no such file"
        case .directory: "is a folder, not a file"
        case .special: "is not a regular file"
        case .notReadable: "permission to read it is missing"
        case .failed(let error): "cannot be read: \(error.reason)"
        }
    }

    /// After the name of the file.
    var predicate: String {
        switch self {
        case .missing: "does not exist"
        case .notReadable: "cannot be read"
        case .readable, .directory, .special, .failed: words
        }
    }
}

extension ProfileError.Section {
    var words: String {
        switch self {
        case .top: ""
        case .upstream: " under upstream"
        case .waiver: " in a waiver"
        case .clientCertificate: " in an entry of client_certificates"
        case .rule(let host): " in the rule of \(printable(host))"
        case .lent(let host): " in what is lent for \(printable(host))"
        case .clients: " under clients"
        case .filters: " under filters"
        case .mutes: " under mutes"
        case .client(let name): " of client \(printable(name))"
        }
    }
}

extension ProfileError.Subject {
    var words: String {
        switch self {
        case .file: "the profile"
        case .key(let key, let section): "\(quoted(key))\(section.words)"
        case .host(let host, let list): "\(quoted(host)) under \(list)"
        case .entry(let list, let section): "an entry of \(quoted(list))\(section.words)"
        case .aKey(let list): "a key\(list.isEmpty ? "" : " under \(list)")"
        }
    }
}

extension ProfileError.Found {
    var words: String {
        switch self {
        case .nothing: "empty"
        case .list: "a list"
        case .map: "a map"
        case .text(let text, _): "the text \(quoted(text))"
        case .number(let text): "the number \(printable(text))"
        case .boolean(let text): printable(text)
        }
    }
}

extension ProfileError.Shape {
    var words: String {
        switch self {
        case .map: "a map"
        case .hosts: "a map of hosts"
        case .rule: "a map with \"expect\""
        case .client: "a map with \"user\", \"listen\" or \"address\""
        case .clientCertificate: "a map with \"host\" and \"pkcs12\", or \"certificate\" and \"key\""
        case .list: "a list"
        case .text: "text"
        case .host: "a host name"
        case .boolean: "true or false"
        case .wholeNumber: "a whole number"
        case .attacks: "a set of attacks or a list of them"
        case .endpoint: "host or host:port"
        case .proxy: "host:port or null"
        case .waiver: "a map with \"finding\", \"until\" and \"reason\""
        case .date: "a date"
        }
    }
}

extension ProfileError.PatternFault {
    var words: String {
        switch self {
        case .url: " but a URL"
        case .port: " but a host with a port"
        case .missingSpace: " name"
        case .bareStar: " pattern: a star needs a name behind it"
        case .starInside: " pattern: a star stands only in front, as \"*.\" or \"**.\""
        case .starOverIP: " pattern: addresses have no wildcards"
        case .leadingDot: " name: it begins with a dot"
        case .notASCII: " name: it has characters outside ASCII"
        case .notExact: " name but a pattern: only exact names can stand here"
        case .notAName: " name"
        }
    }
}

extension ProfileError.PinFault {
    var words: String {
        switch self {
        case .sha1: "SHA-1 is not supported"
        case .hexadecimal: "it is hexadecimal, not base64"
        case .noPrefix: "it does not begin with \"sha256/\""
        case .noPadding: "the \"=\" at its end is missing"
        case .base64URL: "it is base64url, not base64"
        case .notCanonical: "its last character carries bits that 32 bytes do not have"
        case .notBase64(let scalar): "\(quoted(String(Character(scalar)))) is not a base64 character"
        case .wrongLength(let bytes): "it holds \(bytes) bytes, not the 32 of a SHA-256"
        }
    }
}

extension ProfileError.ClientCertificateFault {
    var words: String {
        switch self {
        case .nothing: "has no file"
        case .both: "is given twice, as \"pkcs12\" and as \"certificate\" and \"key\""
        case .noKey: "has no key"
        case .noCertificate: "is a key without a certificate"
        case .strayPassword: "has a password, and no \"pkcs12\" that it could open"
        case .severalPasswords: "has more than one password"
        }
    }
}

/// Errors end up in logs that others read.
private func withoutCredentials(_ proxy: String) -> String {
    guard let end = proxy.lastIndex(of: "@") else { return proxy }
    let start = proxy.firstRange(of: "://")?.upperBound ?? proxy.startIndex
    return start < end ? proxy[..<start] + "…" + proxy[end...] : proxy
}

extension ProfileError.ProxyFault {
    var words: String {
        switch self {
        case .scheme(let scheme): "\(scheme) proxies are not supported"
        case .credentials: "proxies with a password are not supported"
        case .noPort: "the port is missing"
        case .notAnEndpoint: "expected host:port or http://host:port"
        }
    }
}
