import Facts

/// Finds the shapes in which libraries of React Native and Capacitor declare pins.
enum ReactNativeShapes {
    private static let names = ["hostname", "host", "domain"]
    private static let lists = ["fingerprints", "publicKeyHashes", "pins"]

    // Recursion is bounded: the reader refuses what lies deeper than 64.
    static func walk(_ value: LinedJSON, into file: inout PinFile) {
        for element in value.array ?? [] { walk(element, into: &file) }
        guard value.isObject else { return }
        tellOverwritten(value, into: &file)
        if let keys = value.member("sha256Keys"), keys.value.isObject {
            tellOverwritten(keys.value, into: &file)
            let options = options(value["domains"])
            for host in keys.value.effective { manager(host, options: options[host.name], into: &file) }
            if !keys.value.members.isEmpty { tellSubdomains(keys, options, into: &file) }
            return
        }
        if describedHost(value, into: &file) { return }
        for member in value.effective {
            if let hashes = member.value["publicKeyHashes"], hashes.array != nil, !isPlain(member.name) {
                publicKeyHashes(member, hashes, into: &file)
            } else if let pins = member.value["pins"], pins.array?.contains(where: isPin) == true, !isPlain(member.name)
            {
                wildcard(member, pins, coversItself: false, into: &file)
            } else if member.name == "sslPinning",
                member.value.members.contains(where: { $0.value.array?.isEmpty == false })
            {
                for host in member.value.effective where host.value.array != nil && !isPlain(host.name) {
                    wildcard(host, host.value, coversItself: true, into: &file)
                }
            } else {
                walk(member.value, into: &file)
            }
        }
    }

    private static func tellOverwritten(_ value: LinedJSON, into file: inout PinFile) {
        for member in value.overwritten {
            file.notes.append(
                PinNote(
                    .neverMatches, line: member.line,
                    "\"\(Printable.excerpt(member.name))\" stands in its object twice: only the last is read"))
        }
    }

    /// A key's own name, and no host's.
    private static func isPlain(_ name: String) -> Bool { !name.contains(".") && name != "localhost" }

    private static func isPin(_ value: LinedJSON) -> Bool { value.string.flatMap { PinText.any($0, line: 1) } != nil }

    // MARK: One shape each

    /// react-native-ssl-manager: TrustKit on iOS, a network security config and OkHttp on Android.
    private static func manager(_ host: LinedJSON.Member, options: LinedJSON?, into file: inout PinFile) {
        let covers = options?["includeSubdomains"]?.bool ?? true
        var entry = declared(host.name, covers ? [.itself, .descendants] : .itself, line: host.line)
        entry.isEnforced = options?["enforcePinning"]?.bool ?? true
        if !entry.isEnforced {
            file.notes.append(
                PinNote(
                    .reportOnly, line: options?.member("enforcePinning")?.line ?? host.line,
                    "\(Printable.excerpt(host.name)) is not enforced: a mismatch is reported, and the connection goes on"
                ))
        }
        setExpiry(of: &entry, options?.member("expirationDate"), into: &file)
        for pin in host.value.array ?? [] {
            let text = pin.string ?? ""
            let read = text.hasPrefix("sha256/") ? PinText.prefixed(text, line: pin.line) : nil
            entry.pins.append(read ?? DeclaredPin(.spkiSHA256, text: text, digest: nil, line: pin.line))
        }
        finish(entry, "the library refuses the configuration", into: &file)
    }

    /// Of each host, by its name.
    private static func options(_ domains: LinedJSON?) -> [String: LinedJSON] {
        Dictionary((domains?.members ?? []).map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    }

    private static func tellSubdomains(
        _ keys: LinedJSON.Member, _ options: [String: LinedJSON], into file: inout PinFile
    ) {
        guard keys.value.members.contains(where: { options[$0.name]?["includeSubdomains"] == nil }) else { return }
        file.notes.append(
            PinNote(
                .versionsDiffer, line: keys.line,
                "subdomains are pinned unless includeSubdomains says otherwise; older versions of react-native-ssl-manager "
                    + "pin the host alone in OkHttp"))
    }

    /// react-native-ssl-public-key-pinning: TrustKit on iOS, OkHttp with `**.` on Android.
    ///
    /// - Parameter pinsKnown: false where source code has more than its file says.
    static func publicKeyHashes(
        _ host: LinedJSON.Member, _ hashes: LinedJSON, pinsKnown: Bool = true, into file: inout PinFile
    ) {
        let covers = host.value["includeSubdomains"]?.bool == true
        var entry = declared(host.name, covers ? [.itself, .descendants] : .itself, line: host.line)
        entry.pinsKnown = pinsKnown
        setExpiry(of: &entry, host.value.member("expirationDate"), into: &file)
        var told: Set<String> = []
        for pin in hashes.array ?? [] {
            let text = pin.string ?? ""
            if PinText.prefixed(text, line: pin.line) != nil {
                // OkHttp is given sha256/sha256/…, which is no digest.
                entry.pins.append(DeclaredPin(.spkiSHA256, text: text, digest: nil, line: pin.line))
                told.insert(text)
                file.notes.append(
                    PinNote(
                        .malformedPin, line: pin.line,
                        "\(Printable.excerpt(text)) has a prefix: react-native-ssl-public-key-pinning puts one before it, and "
                            + "TrustKit raises an exception"))
            } else {
                entry.pins.append(DeclaredPin(base64: text, line: pin.line))
            }
        }
        entry.isPinned = !pinsKnown || !entry.pins.isEmpty
        if pinsKnown, entry.pins.count < 2 {
            let android = entry.isPinned ? "" : "nothing is pinned on Android, and "
            file.notes.append(
                PinNote(
                    .versionsDiffer, line: host.line,
                    android + "TrustKit raises an exception on iOS where there are no two pins"))
        }
        finish(entry, "it matches nothing on Android, and TrustKit raises an exception on iOS", told: told, into: &file)
    }

    /// `*.` is one label to OkHttp, and all below to TrustKit, which takes in the domain itself as well.
    static func wildcard(
        _ host: LinedJSON.Member, _ pins: LinedJSON, coversItself: Bool, into file: inout PinFile
    ) {
        let isWildcard = host.name.hasPrefix("*.")
        let name = isWildcard ? String(host.name.dropFirst(2)) : host.name
        var entry = declared(
            name, isWildcard ? (coversItself ? [.itself, .children] : .children) : .itself, line: host.line)
        if isWildcard {
            file.notes.append(
                PinNote(
                    .versionsDiffer, line: host.line,
                    "\(Printable.excerpt(host.name)) is \(coversItself ? "the domain and " : "")exactly one label more on Android, "
                        + "and on iOS the domain and all below it"))
        }
        for pin in pins.array ?? [] {
            let text = pin.string ?? ""
            entry.pins.append(PinText.prefixed(text, line: pin.line) ?? DeclaredPin(base64: text, line: pin.line))
        }
        finish(entry, "it matches nothing on Android, and TrustKit raises an exception on iOS", into: &file)
    }

    /// An object that names its host, or a plugin's settings that hold for every host.
    private static func describedHost(_ value: LinedJSON, into file: inout PinFile) -> Bool {
        let name = names.lazy.compactMap { value.member($0) }.first { $0.value.string?.isEmpty == false }
        var found: [LinedJSON] = lists.compactMap { value[$0]?.array }.flatMap { $0 }
        if let single = value["fingerprint"], single.string != nil { found.insert(single, at: 0) }
        // Numbers, host names and whatever else is called like that.
        guard found.contains(where: isPin), name != nil || value["fingerprint"] != nil || value["fingerprints"] != nil
        else {
            return false
        }
        var entry = declared(name?.value.string, .itself, line: name?.line ?? value.line)
        struct Digest: Hashable {
            let kind: DeclaredPin.Kind
            let bytes: [UInt8]?
        }
        var seen: Set<Digest> = []
        for pin in found {
            let text = pin.string ?? ""
            let read = PinText.any(text, line: pin.line) ?? DeclaredPin(base64: text, line: pin.line)
            if seen.insert(Digest(kind: read.kind, bytes: read.digest)).inserted { entry.pins.append(read) }
        }
        if entry.pins.contains(where: { !$0.kind.isOfKey }) {
            file.notes.append(
                PinNote(.certificatePins, line: entry.line, "fingerprints of certificates are pinned, and not keys"))
        }
        finish(entry, "it matches nothing", into: &file)
        return true
    }

    // MARK: What they share

    private static func declared(_ name: String?, _ reach: DeclaredHost.Reach, line: Int) -> DeclaredHost {
        let host = name.map { HostName($0)?.text ?? $0.lowercased() }
        return DeclaredHost(host, reach, pins: [], isPinned: true, format: .reactNative, line: line)
    }

    private static func setExpiry(of entry: inout DeclaredHost, _ member: LinedJSON.Member?, into file: inout PinFile) {
        guard let member, member.value.value != .null else { return }
        entry.expires = member.value.string.flatMap { CalendarDate($0) }
        if entry.expires == nil {
            file.notes.append(
                PinNote(
                    .expiryNotTaken, line: member.line,
                    "expirationDate is no date like 2027-01-31: the pins never expire", host: entry.domain))
        }
    }

    /// - Parameter told: malformed pins that a note tells of already.
    private static func finish(
        _ entry: DeclaredHost, _ consequence: String, told: Set<String> = [], into file: inout PinFile
    ) {
        for pin in entry.pins where pin.digest == nil && !told.contains(pin.text) {
            file.notes.append(
                PinNote(
                    .malformedPin, line: pin.line,
                    "\"\(Printable.excerpt(pin.text))\" is no SHA-256 in base64 (44 letters): \(consequence)"))
        }
        var entry = entry
        if let name = entry.domain, HostName(name) == nil {
            file.notes.append(
                PinNote(
                    .neverMatches, line: entry.line, "no host is called \(Printable.excerpt(name)): it never matches"))
            // For reports: without what keeps it from ever matching.
            for wildcard in ["**.", "*."] where name.hasPrefix(wildcard) {
                entry.domain = String(name.dropFirst(wildcard.utf8.count))
            }
            entry.reach = []
        }
        file.hosts.append(entry)
    }
}
