/// What one file declares: hosts and pins, notes beside them, and what a linter reads.
package struct PinFile: Hashable, Sendable {
    package var path: String
    package var format: PinFormat
    /// In the order of the file. An entry without pins is there where it shadows, or leaves out, another.
    package var hosts: [DeclaredHost] = []
    package var notes: [PinNote] = []
    package var settings: [PinSetting] = []
    /// Hosts that it names beside its entries: domains without pins, exceptions, addresses in code. In lower case.
    package var namedHosts: [String] = []
    /// Its code hands challenges to TrustKit's validator, wherever TrustKit is configured.
    package var callsValidator = false
    /// Of a profile alone: its `resolve` and `upstream`.
    package var servers: DeclaredServers?

    package init(
        path: String, format: PinFormat, hosts: [DeclaredHost] = [], notes: [PinNote] = [], settings: [PinSetting] = []
    ) {
        self.path = path
        self.format = format
        self.hosts = hosts
        self.notes = notes
        self.settings = settings
    }
}

/// Something that a reader should know of, and that a profile cannot say.
package struct PinNote: Hashable, Sendable {
    package enum ID: String, Hashable, Sendable, CaseIterable {
        /// A constant that is defined elsewhere, or put together while the program runs.
        case unresolved
        /// A more specific entry without pins takes a host out of its parent's.
        case shadows
        case neverMatches = "never-matches"
        /// A pin set where the platform does not look for one.
        case misplaced
        case malformedPin = "malformed-pin"
        case overridePins = "override-pins"
        case debugOverrides = "debug-overrides"
        /// What holds for hosts that are not named.
        case otherHosts = "other-hosts"
        /// Several entries match a host, and their pins are united.
        case union
        /// Several objects of one file match a host, each for a client of its own: their pins are not united.
        case severalPinners = "several-pinners"
        /// Versions of the library read it differently.
        case versionsDiffer = "versions-differ"
        /// Certificates, not keys, are pinned: a profile's `pins` are of keys.
        case certificatePins = "certificate-pins"
        /// Trust anchors that the user or the device's owner has added are exempt.
        case localAnchors = "local-anchors"
        /// Only the app's own roots are trusted: a public chain is refused, whatever the pins say.
        case privateAnchors = "private-anchors"
        case expiration
        /// A day is written that the platform does not take for one: the pins never end.
        case expiryNotTaken = "expiry-not-taken"
        case reportOnly = "report-only"
    }

    package var id: ID
    /// From 1.
    package var line: Int
    package var text: String
    /// The entry's that it is about, where the reader says so; in lower case.
    package var host: String?

    package init(_ id: ID, line: Int, _ text: String, host: String? = nil) {
        self.id = id
        self.line = line
        self.text = text
        self.host = host
    }
}

/// What a file sets beside pins, and a linter looks at.
package struct PinSetting: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Android's `overridePins="true"` on system anchors, outside of debug-overrides; and on other anchors.
        case overridePinsOnSystemAnchors, overridePins
        /// Android's `<certificates src="user"/>` outside of debug-overrides.
        case userAnchors
        /// The same without a word in a configuration: an app that targets an API level below 24.
        case userAnchorsByDefault
        /// Clear text is allowed for `host` (nil: for every host that is not named).
        case clearText
        /// The name of the certificate, or its chain, is not checked.
        case nameCheckOff, chainCheckOff
        case debuggable
        /// Apple's NSAllowsArbitraryLoads, or an exception of it for `host`.
        case arbitraryLoads
        /// Apple's NSAllowsArbitraryLoadsInWebContent and …ForMedia: for web views or media alone, whatever the host.
        case arbitraryLoadsInPart
        /// Pins are declared, and nothing of this file calls what enforces them.
        case validatorNotWired
        /// Anchors that were added locally are exempt from pins (TrustKit on macOS, Cronet's bypass).
        case localAnchorExemption
        /// A SubjectPublicKeyInfo header for one kind of key is put before a raw key: other kinds hash wrong.
        case hardCodedKeyHeader
        /// A check that runs only where the platform has already found an error.
        case errorPathOnly
        /// Every certificate is accepted.
        case trustsEverything
        /// TrustKit's swizzling: a session without a delegate is never validated.
        case sessionWithoutDelegate
        /// A host whose configuration replaces what an SDK pins.
        case overridesSDKPins
    }

    package var kind: Kind
    /// In lower case; nil: for all, or not known.
    package var host: String?
    /// The setting holds for what lies below `host`, too.
    package var coversSubdomains: Bool
    /// From 1.
    package var line: Int
    /// What stands there, in a few words: `overridePins="true"`.
    package var text: String

    package init(_ kind: Kind, host: String? = nil, coversSubdomains: Bool = false, line: Int, _ text: String) {
        self.kind = kind
        self.host = host
        self.coversSubdomains = coversSubdomains
        self.line = line
        self.text = text
    }
}

/// Why a file cannot be read, or what its platform itself rejects of it.
package struct PinFileFault: Error, Hashable, Sendable {
    /// What the app does then.
    package enum Effect: Hashable, Sendable {
        /// Connections fail, or the app does not start.
        case failsClosed
        /// Pins, or this one, are silently not there.
        case failsOpen
        /// The platform is not involved: the file is broken, or over a bound of ours.
        case unreadable
    }

    /// From 1; nil where the file as a whole is meant.
    package var line: Int?
    package var message: String
    package var effect: Effect
    package var hints: [String]
    /// The entry's in which it is, where there is one; in lower case.
    package var host: String?
    /// It breaks the syntax that the format is written in, so that nothing behind it can be read.
    package var isOfSyntax = false

    /// What is not well-formed, as its platform takes it.
    static func syntax(line: Int?, _ message: String, _ platform: XMLPlatform?) -> PinFileFault {
        var fault = PinFileFault(line: line, message, platform == nil ? .unreadable : .failsClosed)
        fault.isOfSyntax = true
        fault.hints = platform.map { [$0.malformed] } ?? []
        return fault
    }

    package init(
        line: Int?, _ message: String, _ effect: Effect = .unreadable, hints: [String] = [], host: String? = nil
    ) {
        self.line = line
        self.message = message
        self.effect = effect
        self.hints = hints
        self.host = host
    }
}

/// Reads one format, recognised by its content.
///
///     guard AndroidConfigReader.recognises(content) else { … }
///     let file = try AndroidConfigReader.read(content, path: "res/xml/network_security_config.xml")
package protocol PinFileReader {
    /// Cheap, and true of nothing that another reader should have.
    static func recognises(_ content: PinFileContent) -> Bool
    static func read(_ content: PinFileContent, path: String) throws(PinFileFault) -> PinFile
}

/// A file as bytes, and as text where it is some.
package struct PinFileContent: Hashable, Sendable {
    package let bytes: [UInt8]
    package let text: String?

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        text = TextDecoding.text(of: bytes)
    }

    package init(_ text: String) { self.init(Array(text.utf8)) }
}
