import Facts

/// What `pinproof pins` has found in one file, or was shown by one server.
package struct DerivedPins: Hashable, Sendable {
    /// Something to look into before anything is pinned.
    package struct Warning: Hashable, Sendable {
        package enum ID: String, Hashable, Sendable, CaseIterable {
            /// The chain does not verify.
            case notVerified = "not-verified"
            /// It verifies, and its root is in no public store.
            case notPublicRoot = "not-public-root"
            /// The server leaves out what its clients need.
            case incompleteChain = "incomplete-chain"
            case nameMismatch = "name-mismatch"
            /// A server's certificate that is for no name at all.
            case noServerName = "no-san"
            case expired
            case notYetValid = "not-yet-valid"
            /// Fewer than 30 days are left.
            case expiresSoon = "expires-soon"
            /// Certificates that do not follow each other.
            case chainOrder = "chain-order"
            /// A key that clients refuse, or soon will.
            case weakKey = "weak-key"
            /// The file holds a private key.
            case privateKey = "private-key"
        }

        package var id: ID
        package var text: String

        package init(_ id: ID, _ text: String) {
            self.id = id
            self.text = text
        }
    }

    /// `api.example.com:443`, or the file's name as it was given.
    package var source: String
    /// Of a server: its chain verifies for its name. Of a file: its certificates are one chain.
    package var isVerified: Bool
    package var whyNot: String?
    /// The chain ends in a root of the system's.
    package var isPublicRoot: Bool
    /// In the order presented.
    package var items: [PinnableItem]
    /// Which of them are no part of the chain from the first certificate to its end: nobody is to pin those.
    package var strangers: Set<Int> = []
    /// The root in which the chain ends where it was not presented.
    package var anchor: PinnableItem?
    package var warnings: [Warning]

    package init(
        source: String, isVerified: Bool, whyNot: String?, isPublicRoot: Bool, items: [PinnableItem],
        anchor: PinnableItem? = nil, warnings: [Warning] = []
    ) {
        self.source = source
        self.isVerified = isVerified
        self.whyNot = whyNot
        self.isPublicRoot = isPublicRoot
        self.items = items
        self.anchor = anchor
        self.warnings = warnings
    }

    /// `pinproof.pins/1`.
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("schema", "pinproof.pins/1")
        json.field("source", source)
        json.field("verified", isVerified)
        json.field("why_not", orNull: whyNot)
        json.field("public_root", isPublicRoot)
        json.key("certificates")
        json.beginArray()
        for item in items { item.write(to: &json) }
        json.endArray()
        json.key("anchor")
        if let anchor { anchor.write(to: &json) } else { json.null() }
        json.key("warnings")
        json.beginArray()
        for warning in warnings {
            json.beginObject(inline: true)
            json.field("id", warning.id.rawValue)
            json.field("text", warning.text)
            json.endObject()
        }
        json.endArray()
        json.endObject()
    }

    /// For a terminal: each certificate with its pin on a line of its own, so that it can be copied whole.
    package var text: String {
        var lines = [Printable.escaped(source)]
        for (number, item) in items.enumerated() {
            let note = strangers.contains(number) ? "no part of the chain: do not pin it" : nil
            lines += Self.lines(of: item, String(number + 1), note: note)
        }
        if let anchor { lines += Self.lines(of: anchor, "-", note: "not sent; from this system's roots") }
        if items.contains(where: { $0.certificate != nil }) {
            lines.append("")
            lines.append(
                isVerified
                    ? "the chain verifies" + (isPublicRoot ? ", and ends in a public root" : "")
                    : "the chain does not verify: \(Printable.escaped(whyNot ?? "no reason is known"))")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func lines(of item: PinnableItem, _ number: String, note: String? = nil) -> [String] {
        var head = "  \(number)  \(item.role.rawValue)  \(item.key)"
        if let subject = item.subject { head += "  \(Printable.escaped(subject))" }
        var lines = ["", head, "     \(item.pin)"]
        if let certificate = item.certificate {
            lines.append("     issued by \(Printable.escaped(certificate.issuer))")
            lines.append("     valid \(certificate.notBefore.date) to \(certificate.notAfter.date)")
        }
        if !item.dnsNames.isEmpty { lines.append("     for \(names(item.dnsNames))") }
        if let note { lines.append("     (\(note))") }
        return lines
    }

    /// A CDN's certificate has hundreds; JSON has them all.
    private static let shownNames = 6

    private static func names(_ all: [String]) -> String {
        let shown = all.prefix(shownNames).map { Printable.escaped($0) }.joined(separator: ", ")
        return all.count > shownNames ? "\(shown) and \(all.count - shownNames) more" : shown
    }
}
