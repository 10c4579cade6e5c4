import Facts

/// What an `.ipa` really declares: Info.plists, provisioning, binaries and bundled files.
///
/// Pins of an Info.plist hold in the process of its bundle alone: each extension has its own, and the app's do not
/// reach it.
package struct IPAInspection {
    package struct BundledCertificate: Hashable, Sendable {
        package var path: String
        /// PEM or DER, as it stands there.
        package var bytes: [UInt8]
    }
    package struct PinLikeString: Hashable, Sendable {
        /// `sha256/` and base64.
        package var value: String
        package var path: String
    }

    package private(set) var app: IPABundle
    /// Extensions, watch apps and app clips.
    package private(set) var embedded: [IPABundle] = []
    /// Other files of the app that declare pins, such as `TrustKit.plist` or `ssl_config.json`.
    package private(set) var resources: [PinFile] = []
    /// `get-task-allow`: of the main binary's signature, else of the provisioning profile; nil where neither is there.
    package private(set) var isDebuggable: Bool?
    /// The App Store's encryption hides what stands in the main binary.
    package private(set) var isEncrypted = false
    package private(set) var certificates: [BundledCertificate] = []
    /// In order, each once for each file.
    package private(set) var pinLikeStrings: [PinLikeString] = []
    /// Known ones, in order: `alamofire`, `trustkit`.
    package private(set) var libraries: [String] = []
    /// About the archive as a whole; those of a bundle are in its `file`.
    package private(set) var notes: [PinNote] = []
    /// Members that could not be read, or were too large to be looked through.
    package private(set) var unread: [String] = []

    /// Bytes of a file that is no binary: resources and certificates are smaller.
    static let resourceLimit = 16 << 20
    /// Bytes of a binary; larger ones are games.
    static let binaryLimit = 256 << 20
    /// Bytes that are looked through in all, so that an app takes seconds.
    static let searchLimit = 512 << 20
    /// Files of each kind: extensions, resources, certificates.
    static let countLimit = 1000

    private var searched = 0
    private var foundLibraries: Set<String> = []

    /// - Throws: where there is no app in it, or its Info.plist cannot be read.
    package init(_ members: IPAMembers) throws(PinFileFault) {
        let paths = IPAPaths(members.names)
        guard let root = paths.app else {
            throw PinFileFault(line: nil, "there is no Payload/NAME.app/Info.plist in it: this is no app for iOS")
        }
        app = try IPABundle(root, .app, members)
        if paths.appCount > 1 {
            notes.append(
                PinNote(.otherHosts, line: 1, "there are \(paths.appCount) apps in it: \(app.name) is inspected"))
        }
        readEmbedded(paths, members)
        readProfile(root, members)
        readResources(paths, members)
        readBinaries(paths, members)
        libraries = foundLibraries.sorted()
    }

    // MARK: Bundles

    private mutating func readEmbedded(_ paths: IPAPaths, _ members: IPAMembers) {
        for (path, kind) in paths.embedded.prefix(Self.countLimit) {
            guard var bundle = try? IPABundle(path, kind, members) else {
                unread.append(path + "/Info.plist")
                continue
            }
            let what = "\(Printable.excerpt(bundle.name)) (\(kind.rawValue))"
            if bundle.file.hosts.contains(where: \.isPinned) {
                bundle.file.notes.append(
                    PinNote(.otherHosts, line: 1, "these pins hold in the process of \(what) alone, and not in the app")
                )
            } else if app.file.hosts.contains(where: \.isPinned) {
                bundle.file.notes.append(
                    PinNote(
                        .otherHosts, line: 1,
                        "\(what) runs by itself and declares no pins: those of the app do not hold for its connections")
                )
            }
            embedded.append(bundle)
        }
        for path in paths.frameworks.prefix(Self.countLimit) {
            guard let bytes = try? members.content(path, Self.resourceLimit) else { continue }
            let content = PinFileContent(bytes)
            guard AppleConfigReader.recognises(content) else { continue }
            notes.append(
                PinNote(
                    .misplaced, line: 1,
                    "\(Printable.excerpt(path)) is a library's: pins and exceptions in it are not read"))
        }
    }

    private mutating func readProfile(_ root: String, _ members: IPAMembers) {
        let name = root + "/embedded.mobileprovision"
        guard members.names.contains(name) else { return }
        guard let bytes = try? members.content(name, Self.resourceLimit), let list = IPAProfile.list(in: bytes) else {
            unread.append(name)
            return
        }
        isDebuggable = list["Entitlements"]?["get-task-allow"]?.truth ?? false
    }

    // MARK: Files

    private mutating func readResources(_ paths: IPAPaths, _ members: IPAMembers) {
        for path in paths.certificates.prefix(Self.countLimit) {
            guard let bytes = try? members.content(path, Self.resourceLimit) else {
                unread.append(path)
                continue
            }
            certificates.append(BundledCertificate(path: path, bytes: bytes))
        }
        for path in paths.resources.prefix(Self.countLimit) {
            guard searched < Self.searchLimit, let bytes = try? members.content(path, Self.resourceLimit) else {
                unread.append(path)
                continue
            }
            searched += bytes.count
            let content = PinFileContent(bytes)
            if let file = Self.declared(in: content, path: path) { resources.append(file) }
            add(IPAStrings.pins(in: bytes, alone: false), path)
        }
        if paths.hasReactNativeBundle { foundLibraries.insert("react-native") }
    }

    private static func declared(in content: PinFileContent, path: String) -> PinFile? {
        if TrustKitReader.recognises(content) { return try? TrustKitReader.read(content, path: path) }
        if PinsJSONReader.recognises(content) { return try? PinsJSONReader.read(content, path: path) }
        if ReactNativeReader.recognises(content) { return try? ReactNativeReader.read(content, path: path) }
        return nil
    }

    private mutating func readBinaries(_ paths: IPAPaths, _ members: IPAMembers) {
        foundLibraries.formUnion(IPALibraries.named(by: paths.frameworkNames))
        let main = app.executable.map { "\(app.path)/\($0)" }
        let extensions = embedded.compactMap { bundle in bundle.executable.map { "\(bundle.path)/\($0)" } }
        let names = Set(members.names)
        for path in ([main].compactMap { $0 } + extensions + paths.binaries).prefix(Self.countLimit)
        where names.contains(path) {
            guard searched < Self.searchLimit, let bytes = try? members.content(path, Self.binaryLimit) else {
                unread.append(path)
                continue
            }
            searched += bytes.count
            let image = IPAMachO(bytes)
            if path == main {
                isEncrypted = image.isEncrypted
                if let entitlements = image.entitlements {
                    isDebuggable = entitlements["get-task-allow"]?.truth ?? false
                }
            }
            foundLibraries.formUnion(IPALibraries.named(by: image.libraries))
            let marks = IPALibraries.marked(in: bytes)
            foundLibraries.formUnion(marks)
            add(IPAStrings.pins(in: bytes, alone: marks.contains("trustkit")), path)
        }
    }

    private mutating func add(_ values: [String], _ path: String) {
        pinLikeStrings += values.map { PinLikeString(value: $0, path: path) }
    }
}
