import Facts

/// Android's network security config, as its parser leaves it, before hosts are looked up.
struct AndroidConfig: Hashable {
    /// `<certificates>`: whom a chain may end in.
    struct Anchors: Hashable {
        enum Source: Hashable {
            case system, user
            /// The device's store for Wi-Fi (Wi-Fi Alliance); of no use to an app.
            case wifi
            /// A file of the app; `0xPPTTEEEE` where it is compiled, else 0.
            case resource(UInt32)
        }

        var source: Source
        /// As written: `system`, `@raw/my_ca`.
        var name: String
        var overridesPins: Bool
        var line: Int
    }

    struct PinSet: Hashable {
        var pins: [DeclaredPin]
        var expires: CalendarDate?
        var line: Int
    }

    struct Domain: Hashable {
        /// Trimmed and in lower case, as the platform compares it; a trailing dot stays, and then nothing matches.
        var name: String
        var includesSubdomains: Bool
        var line: Int
    }

    struct ClearText: Hashable {
        var isPermitted: Bool
        var line: Int
    }

    /// `<trustkit-config>`, which only TrustKit reads.
    struct TrustKit: Hashable {
        /// nil where it is not said; TrustKit then takes the parent's, and at last false.
        var enforcesPinning: Bool?
        var line: Int
    }

    /// A `base-config`, `domain-config` or `debug-overrides`; what is nil comes from its parent.
    struct Entry: Hashable {
        /// Among `AndroidConfig.entries`.
        var parent: Int?
        var domains: [Domain] = []
        var pinSet: PinSet?
        var anchors: [Anchors]?
        var clearText: ClearText?
        var trustKit: TrustKit?
        var line: Int
    }

    /// What stands where the platform does not look.
    struct Skipped: Hashable {
        var name: String
        var within: String
        var holdsPins: Bool
        var line: Int
    }

    /// The domain-configs in the order of the file, each before those within it.
    var entries: [Entry] = []
    var base: Entry?
    /// Read in debuggable builds only.
    var debug: Entry?
    var skipped: [Skipped] = []

    func pinSet(of entry: Entry) -> PinSet? { inherited(entry, \.pinSet) }
    func anchors(of entry: Entry) -> [Anchors]? { inherited(entry, \.anchors) ?? base?.anchors }
    func clearText(of entry: Entry) -> ClearText? { inherited(entry, \.clearText) ?? base?.clearText }

    /// nil where TrustKit is not told of the entry.
    func trustKit(of entry: Entry) -> TrustKit? {
        guard let nearest = inherited(entry, \.trustKit) else { return nil }
        return TrustKit(enforcesPinning: inherited(entry, \.trustKit?.enforcesPinning) ?? false, line: nearest.line)
    }

    /// The entry's own, or that of the nearest domain-config around it.
    func inherited<Value>(_ entry: Entry, _ value: KeyPath<Entry, Value?>) -> Value? {
        var current = entry
        // A parent stands before its children, so this ends.
        while true {
            if let found = current[keyPath: value] { return found }
            guard let parent = current.parent, entries.indices.contains(parent) else { return nil }
            current = entries[parent]
        }
    }
}
