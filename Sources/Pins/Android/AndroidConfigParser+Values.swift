import Facts

extension AndroidConfigParser {
    /// What the platform does with a file that its parser rejects, in a sentence's end.
    static func rejected(_ line: Int, _ what: String, hints: [String] = []) -> PinFileFault {
        PinFileFault(
            line: line, "\(what): Android rejects the whole file, and the app fails at its first connection",
            .failsClosed, hints: hints)
    }

    func pinSet(_ element: XMLElement) throws(PinFileFault) -> AndroidConfig.PinSet {
        var set = AndroidConfig.PinSet(pins: [], line: element.line)
        if let expiration = Self.plain("expiration", of: element) {
            guard let date = AndroidDate.read(expiration.value) else {
                throw Self.rejected(
                    expiration.line, "the expiration \(Self.quoted(expiration.value)) is no date as in 2027-01-31")
            }
            set.expires = date
        }
        for pin in element.elements("pin") { set.pins.append(try Self.pin(pin)) }
        return set
    }

    private static func pin(_ element: XMLElement) throws(PinFileFault) -> DeclaredPin {
        let digest = plain("digest", of: element)
        guard let digest, digest.value.uppercased() == "SHA-256" else {
            throw rejected(
                element.line,
                digest.map { "the digest \(quoted($0.value)) of a pin is not SHA-256" } ?? "a pin has no digest",
                hints: ["write digest=\"SHA-256\", and the SHA-256 hash of the public key in base64"])
        }
        let text = trimmed(try onlyText(element, "the hash of a pin"))
        guard let bytes = AndroidBase64.decoded(text) else {
            throw rejected(element.textLine, "the pin \(quoted(text)) is not base64")
        }
        guard bytes.count == DeclaredPin.Kind.spkiSHA256.size else {
            throw rejected(
                element.textLine,
                "the pin \(quoted(text)) has \(English.count(bytes.count, "byte")), and a SHA-256 hash has 32",
                hints: Self.hints(for: text, bytes.count))
        }
        return DeclaredPin(.spkiSHA256, text: text, digest: bytes, line: element.textLine)
    }

    private static func hints(for pin: String, _ count: Int) -> [String] {
        if pin.lowercased().hasPrefix("sha256/") {
            return ["leave out the \"sha256/\": that is how OkHttp writes pins"]
        }
        if pin.contains(":") || pin.utf8.count == 64 { return ["write it in base64, not in hexadecimal digits"] }
        if count == 20 { return ["this has the length of a SHA-1 hash: make one with SHA-256"] }
        return []
    }

    /// - Parameter overridesPins: where the attribute does not say.
    static func certificates(
        _ element: XMLElement, overridesPins: Bool
    ) throws(PinFileFault) -> AndroidConfig.Anchors {
        guard let source = plain("src", of: element) else {
            throw rejected(element.line, "a <certificates> has no src")
        }
        let kind: AndroidConfig.Anchors.Source
        if let reference = source.compiled?.reference {
            kind = .resource(reference)
        } else if source.compiled == nil, source.value.hasPrefix("@"), source.value.contains("/") {
            kind = .resource(0)
        } else {
            switch source.value {
            case "system": kind = .system
            case "user": kind = .user
            case "wfa": kind = .wifi
            default:
                throw rejected(
                    source.line, "the src \(quoted(source.value)) of <certificates> is not known",
                    hints: ["write \"system\", \"user\", or the app's own file as in \"@raw/my_ca\""])
            }
        }
        return AndroidConfig.Anchors(
            source: kind, name: source.value,
            overridesPins: AndroidBoolean.read(plain("overridePins", of: element)) ?? overridesPins,
            line: element.line)
    }

    /// Without a value that it understands the platform takes true.
    static func clearText(_ element: XMLElement) -> AndroidConfig.ClearText? {
        element.attribute("cleartextTrafficPermitted").map {
            AndroidConfig.ClearText(isPermitted: AndroidBoolean.read($0) ?? true, line: $0.line)
        }
    }

    /// TrustKit reads Java's `Boolean.parseBoolean` of the text (TrustKitConfigurationParser.java).
    static func trustKit(_ element: XMLElement) -> AndroidConfig.TrustKit {
        AndroidConfig.TrustKit(
            enforcesPinning: plain("enforcePinning", of: element).map { $0.value.lowercased() == "true" },
            line: element.line)
    }

    /// By its whole name: the platform asks for attributes without a namespace.
    static func plain(_ name: String, of element: XMLElement) -> XMLElement.Attribute? {
        element.attributes.first { $0.name == name }
    }

    /// The parser wants one text between two tags, and resource compilers drop blank ones.
    static func onlyText(_ element: XMLElement, _ what: String) throws(PinFileFault) -> String {
        guard element.text.utf8.contains(where: { $0 > 32 }) else {
            throw rejected(element.line, "\(what) is missing in <\(element.localName)>")
        }
        guard element.children.isEmpty, !element.hasSplitText else {
            throw rejected(
                element.line, "there is something else beside \(what) in <\(element.localName)>",
                hints: ["put elements and comments outside of it"])
        }
        return element.text
    }

    /// Java's `trim`: what is at most a space, at both ends.
    static func trimmed(_ text: String) -> String {
        let rest = text.utf8.drop { $0 <= 32 }
        let kept = rest.reversed().drop { $0 <= 32 }.reversed()
        return String(decoding: Array(kept), as: UTF8.self)
    }

    static func quoted(_ text: String) -> String { "\"\(Printable.excerpt(text))\"" }
}
