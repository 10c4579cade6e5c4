import Facts

/// Reads `NSAppTransportSecurity` out of an Info.plist: pins, and exceptions from ATS.
///
/// Semantics: Apple's Security, `SecPolicy.c` (`parseNSPinnedDomains`) and `SecPolicyServer.c`, and its article
/// "Identity Pinning". What the platform drops without a word becomes a note here, and is no fault.
/// `TSKConfiguration` in the same file is read with TrustKit's rules: the file then has the hosts of both.
package enum AppleConfigReader: PinFileReader {
    static let security = "NSAppTransportSecurity"
    static let domains = "NSPinnedDomains"

    package static func recognises(_ content: PinFileContent) -> Bool {
        guard PropertyListForm.mentions([security, domains], in: content) else { return false }
        // One that cannot be read is told of by `read`, with its line; one that names a key in a comment is somebody
        // else's.
        guard let root = try? PropertyList.read(content) else { return true }
        return isOne(root)
    }

    /// It has what is read here.
    static func isOne(_ root: PropertyList) -> Bool { root[security] != nil || root[domains] != nil }

    package static func read(_ content: PinFileContent, path: String) throws(PinFileFault) -> PinFile {
        let root = try PropertyList.read(content)
        let isPiece = content.text.map(XMLPropertyList.isFragment) == true
        let reading = reading(of: isPiece && root[security] == nil ? wrapped(root) : root, path: path)
        if let first = reading.faults.first { throw first }
        return reading.file
    }

    /// All of it, for a linter: what TrustKit raises at is read as far as it goes.
    ///
    /// - Parameter root: of an app's or an extension's Info.plist.
    package static func reading(of root: PropertyList, path: String) -> AppleReading {
        var file = PinFile(path: path, format: .appleATS)
        AppleMisplaced.tell(in: root, into: &file)
        if let entry = root.entry(security) {
            if entry.value.isDictionary {
                readPins(entry.value, into: &file)
                AppleSecuritySettings.read(entry.value, into: &file)
            } else {
                file.notes.append(
                    PinNote(.misplaced, line: entry.line, "\(security) is \(entry.value.kind), and is not read"))
            }
        }
        if let required = root.entry("SecTrustPinningRequired"), required.value.boolean == true,
            file.hosts.contains(where: \.isPinned)
        {
            file.notes.append(
                PinNote(
                    .neverMatches, line: required.line,
                    "SecTrustPinningRequired takes the place of \(domains): the pins of this file are not compared"))
        }
        guard let configuration = TrustKitReader.configuration(in: root) else { return AppleReading(file: file) }
        let other = TrustKitReader.reading(of: configuration, in: root, path: path)
        file.hosts += other.file.hosts
        file.notes += other.file.notes
        file.settings += other.file.settings
        return AppleReading(file: file, faults: other.faults)
    }

    /// A pasted piece is what stands in `NSAppTransportSecurity`.
    private static func wrapped(_ root: PropertyList) -> PropertyList {
        PropertyList(.dictionary([.init(security, line: root.line, root)]), line: root.line)
    }

    private static func readPins(_ settings: PropertyList, into file: inout PinFile) {
        guard let entry = settings.entry(domains) else { return }
        guard entry.value.isDictionary else {
            file.notes.append(
                PinNote(
                    .misplaced, line: entry.line,
                    "\(domains) is \(entry.value.kind), and is not read: nothing is pinned"))
            return
        }
        // Of a key that stands there twice, Foundation keeps the last.
        var last: [String: Int] = [:]
        for (place, domain) in entry.value.entries.enumerated() { last[domain.key] = place }
        for (place, domain) in entry.value.entries.enumerated() {
            guard last[domain.key] == place else {
                let name = Printable.excerpt(domain.key)
                file.notes.append(
                    PinNote(.neverMatches, line: domain.line, "\(name) stands here twice: only its last entry is read"))
                continue
            }
            ApplePinnedDomain.read(domain, into: &file)
        }
        ApplePinnedDomain.tellUnions(in: &file)
    }
}
