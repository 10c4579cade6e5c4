import Facts

/// Reads TrustKit's configuration out of a property list.
///
/// It stands under `TSKConfiguration`, or the file itself is one.
///
/// Semantics: TrustKit 3.0, `parse_configuration.m`, `configuration_utils.m`, `TSKPinningValidator.m`. What raises an
/// exception there is a fault here that fails closed: the app does not start, since TrustKit reads its Info.plist
/// before `main`.
package enum TrustKitReader: PinFileReader {
    static let top = "TSKConfiguration"
    static let domains = "TSKPinnedDomains"

    package static func recognises(_ content: PinFileContent) -> Bool {
        guard PropertyListForm.mentions([top, domains], in: content), !AppleConfigReader.recognises(content) else {
            return false
        }
        guard let root = try? PropertyList.read(content) else { return true }
        return configuration(in: root) != nil
    }

    package static func read(_ content: PinFileContent, path: String) throws(PinFileFault) -> PinFile {
        let root = try PropertyList.read(content)
        guard let configuration = configuration(in: root) else {
            throw PinFileFault(line: root.line, "there is no \(top) in it, and no \(domains)")
        }
        return try read(configuration, in: root, path: path)
    }

    /// The dictionary that TrustKit is given, with the line of its key; nil where there is none.
    static func configuration(in root: PropertyList) -> PropertyList.Entry? {
        if let entry = root.entries.last(where: { TrustKitNames.plain($0.key) == top }) { return entry }
        guard root.entries.contains(where: { TrustKitNames.plain($0.key) == domains }) else { return nil }
        return .init(top, line: root.line, root)
    }

    /// - Throws: the first thing that TrustKit raises.
    static func read(
        _ configuration: PropertyList.Entry, in root: PropertyList, path: String
    ) throws(PinFileFault) -> PinFile {
        let reading = reading(of: configuration, in: root, path: path)
        if let first = reading.faults.first { throw first }
        return reading.file
    }

    /// All of it, for a linter: what TrustKit raises at is read as far as it goes.
    ///
    /// - Parameters:
    ///   - configuration: what `initSharedInstanceWithConfiguration:` would be given; keys by their values
    ///     (`TSKPinnedDomains`), or by the names of their constants (`kTSKPinnedDomains`).
    ///   - root: of the file, which may tell the platform.
    ///   - isCode: keys are those of constants because it is source code, where they belong.
    package static func reading(
        of configuration: PropertyList.Entry, in root: PropertyList? = nil, path: String, isCode: Bool = false
    ) -> AppleReading {
        var reading = AppleReading(file: PinFile(path: path, format: .trustKit))
        let names = isCode ? TrustKitNames(isByConstant: true) : TrustKitNames(configuration.value, into: &reading.file)
        guard configuration.value.isDictionary else {
            reading.raise(configuration.line, "\(top) is \(configuration.value.kind), and no dictionary")
            return reading
        }
        guard let pinned = names.entry(domains, in: configuration.value) else {
            reading.raise(configuration.line, "its configuration has no \(domains)")
            return reading
        }
        guard pinned.value.isDictionary, !pinned.value.entries.isEmpty else {
            reading.raise(pinned.line, "\(domains) has no domain in it")
            return reading
        }
        let policies = names.distinct(pinned.value, into: &reading.file).map { entry in
            let faults = reading.faults.count
            let policy = TrustKitPolicy(entry, names: names, into: &reading)
            for place in faults..<reading.faults.count { reading.faults[place].host = policy.host.domain }
            return policy
        }
        tellExclusions(policies, into: &reading)
        reading.file.hosts = policies.map(\.host)
        settings(configuration, root, names, into: &reading.file)
        return reading
    }

    /// Last: an exception of a policy needs to be known from all others.
    private static func tellExclusions(_ policies: [TrustKitPolicy], into reading: inout AppleReading) {
        let covering = Dictionary(
            policies.filter(\.coversSubdomains).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for policy in policies where policy.isExcluded {
            let line = policy.host.line
            guard let parent = TrustKitRules.parent(of: policy.name, among: covering) else {
                reading.raise(line, "\(policy.name) is excluded from its parent's policy, and no parent has one")
                continue
            }
            reading.tell(
                .shadows, line,
                "\(policy.name) is taken out of the policy of \(parent.name) (line \(parent.host.line)): it is not pinned"
            )
        }
    }

    private static func settings(
        _ configuration: PropertyList.Entry, _ root: PropertyList?, _ names: TrustKitNames, into file: inout PinFile
    ) {
        let swizzling = names.entry("TSKSwizzleNetworkDelegates", in: configuration.value)
        if swizzling?.value.truth != true {
            let text = swizzling.map { "\($0.key) is off" } ?? "TSKSwizzleNetworkDelegates is not set, and so off"
            file.settings.append(PinSetting(.validatorNotWired, line: swizzling?.line ?? configuration.line, text))
        }
        let key = "TSKIgnorePinningForUserDefinedTrustAnchors"
        let exemption = names.entry(key, in: configuration.value)
        guard exemption?.value.truth != false else { return }
        let line = exemption?.line ?? configuration.line
        if exemption != nil || isMac(root) {
            let text = exemption == nil ? "\(key) is not set, and so on" : "\(key) is on"
            file.settings.append(PinSetting(.localAnchorExemption, line: line, text))
        }
        file.notes.append(
            PinNote(
                .localAnchors, line: line,
                "on macOS, chains that end in an anchor that the user has added are let pass: \(key)"))
    }

    /// As the app's own Info.plist says.
    private static func isMac(_ root: PropertyList?) -> Bool {
        guard let root else { return false }
        let platforms = root["CFBundleSupportedPlatforms"]?.array?.compactMap(\.string) ?? []
        return platforms.contains("MacOSX") || root["LSMinimumSystemVersion"] != nil
            || root["NSPrincipalClass"]?.string == "NSApplication"
    }
}
