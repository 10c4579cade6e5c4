import Facts

/// What a CA, a root programme or the CA/Browser Forum does that pins have to follow.
package struct CAEvent: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A root programme takes a root out, or its bit for servers.
        case leavesProgramme = "leaves-programme"
        /// A root programme trusts no new certificates of it.
        case distrusted
        case expires
        /// The CA issues from it no longer.
        case retires
        /// The CA changes it when it likes, or picks one of several at random.
        case rotates
        /// A path to an older root ends.
        case crossSignEnds = "cross-sign-ends"
        /// Certificates live shorter, and are renewed more often.
        case shorterCertificates = "shorter-certificates"
        /// Certificates can no longer be used by clients.
        case clientAuthenticationEnds = "client-authentication-ends"
        /// Somebody else than you renews the certificate, with a key of their own.
        case managed
    }

    package enum Certainty: String, Hashable, Sendable {
        case announced
        /// It follows from a programme's general schedule; the programme may name another day.
        case scheduled
    }

    /// Never changes.
    package var id: String
    /// Nil where it holds all the time.
    package var date: CalendarDate?
    package var kind: Kind
    /// Who does it.
    package var by: String
    /// What happens, as a sentence.
    package var text: String
    /// What to do.
    package var fix: String
    /// `KnownRoot.name`s that it is about.
    package var roots: [String]
    /// SPKI SHA-256 in base64 of other keys that it is about.
    package var pins: [String]
    /// Organisations of issuers (`O` of a certificate's issuer) that it is about, where keys are not known or not all.
    package var issuers: [String]
    package var source: String
    package var checked: CalendarDate
    package var certainty: Certainty

    package init(
        _ id: String, _ date: CalendarDate? = nil, _ kind: Kind, by: String, _ text: String, fix: String,
        roots: [String] = [], pins: [String] = [], issuers: [String] = [], source: String, checked: CalendarDate,
        certainty: Certainty = .announced
    ) {
        self.id = id
        self.date = date
        self.kind = kind
        self.by = by
        self.text = text
        self.fix = fix
        self.roots = roots
        self.pins = pins
        self.issuers = issuers
        self.source = source
        self.checked = checked
        self.certainty = certainty
    }

    /// SHA-256 of each SubjectPublicKeyInfo that it is about.
    package var keys: [[UInt8]] {
        roots.compactMap { name in KnownRoot.all.first { $0.name == name }?.key }
            + pins.compactMap { Base64.decoded(Array($0.utf8)[...]) }
    }

    /// It is about every public CA.
    package var isGeneral: Bool { roots.isEmpty && pins.isEmpty && issuers.isEmpty }

    /// It is about certificates of this issuer (RFC 4514).
    package func concerns(issuer: String) -> Bool {
        guard !issuers.isEmpty, let organisation = DistinguishedName(issuer).organisation?.lowercased() else {
            return false
        }
        return issuers.contains { organisation == $0.lowercased() }
    }
}
