import Facts

/// The names under which a configuration of TrustKit has its settings.
///
/// In code they are constants (`kTSKPinnedDomains`), whose values are what a property list needs (`TSKPinnedDomains`).
struct TrustKitNames {
    static let exclusion = "TSKExcludeSubdomainFromParentPolicy"
    /// What the constant of that name is worth in every version up to 3.0: a slip that was never mended.
    static let misspeltExclusion = "kSKExcludeSubdomainFromParentPolicy"

    private var isByConstant: Bool

    init(_ configuration: PropertyList, into file: inout PinFile) {
        let first = configuration.entries.first { $0.key.hasPrefix("kTSK") }
        isByConstant = first != nil
        if let first {
            file.notes.append(
                PinNote(
                    .versionsDiffer, line: first.line,
                    "\(Printable.excerpt(first.key)) is the name of a constant: in a property list TrustKit looks for "
                        + "\(Self.plain(Printable.excerpt(first.key))), and raises an exception where it is not"))
        }
    }

    /// Keys are those of constants, as in code.
    init(isByConstant: Bool) { self.isByConstant = isByConstant }

    static func plain(_ key: String) -> String { key.hasPrefix("kTSK") ? String(key.dropFirst()) : key }

    /// By its plain name.
    func entry(_ name: String, in settings: PropertyList) -> PropertyList.Entry? {
        settings.entries.last { Self.plain($0.key) == name }
    }

    /// The setting that takes a domain out, and how it is written.
    func exclusion(in policy: PropertyList) -> PropertyList.Entry? {
        entry(Self.misspeltExclusion, in: policy) ?? entry(Self.exclusion, in: policy)
    }

    /// What is read of TrustKit 3.0 under the name that its documentation gives, and is not found.
    func isMissed(_ exclusion: PropertyList.Entry) -> Bool { exclusion.key == Self.exclusion && !isByConstant }

    /// Of keys that stand there twice, Foundation keeps the last.
    func distinct(_ dictionary: PropertyList, into file: inout PinFile) -> [PropertyList.Entry] {
        var last: [String: Int] = [:]
        for (place, entry) in dictionary.entries.enumerated() { last[entry.key] = place }
        return dictionary.entries.enumerated().compactMap { place, entry in
            if last[entry.key] == place { return entry }
            file.notes.append(
                PinNote(
                    .neverMatches, line: entry.line,
                    "\(Printable.excerpt(entry.key)) stands here twice: only its last entry is read"))
            return nil
        }
    }
}
