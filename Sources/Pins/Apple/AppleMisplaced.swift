/// Pins in an Info.plist where the platform does not look for them.
///
/// Nothing is pinned then, and nothing says so.
enum AppleMisplaced {
    private static let keys = [AppleConfigReader.domains, "NSPinnedLeafIdentities", "NSPinnedCAIdentities"]

    /// At the top, beside `NSPinnedDomains` in `NSAppTransportSecurity`, and in its exceptions: places that people
    /// choose.
    static func tell(in root: PropertyList, into file: inout PinFile) {
        let settings = root[AppleConfigReader.security]
        let exceptions = settings?["NSExceptionDomains"]
        tell(of: root.entries.filter { keys.contains($0.key) }, "at the top of the file", into: &file)
        tell(
            of: settings?.entries.filter { keys.dropFirst().contains($0.key) } ?? [],
            "in \(AppleConfigReader.security) itself", into: &file)
        for exception in exceptions?.entries ?? [] {
            if keys.contains(exception.key) {
                tell(of: [exception], "in NSExceptionDomains", into: &file)
            }
            let inner = exception.value.entries.filter { keys.contains($0.key) }
            tell(of: inner, "in an exception of NSExceptionDomains", into: &file)
        }
    }

    private static func tell(of entries: [PropertyList.Entry], _ place: String, into file: inout PinFile) {
        for entry in entries {
            let right =
                entry.key == AppleConfigReader.domains
                ? AppleConfigReader.security : "a domain of \(AppleConfigReader.domains)"
            file.notes.append(
                PinNote(
                    .misplaced, line: entry.line,
                    "\(entry.key) stands \(place), and is read in \(right) alone: it pins nothing (fails open)"))
        }
    }
}
