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

    package private(set) var app: IPABundle
    /// Extensions, watch apps and app clips.
    package private(set) var embedded: [IPABundle] = []
    /// Other files of the app that declare pins, such as `TrustKit.plist` or `ssl_config.json`.
    package private(set) var resources: [PinFile] = []
    /// What cannot be taken of those: their library raises an exception, or they are broken.
    package private(set) var resourceFaults: [AppInspection.Fault] = []
    /// `get-task-allow`: of the main binary's signature, else of the provisioning profile; nil where neither is there.
    package private(set) var isDebuggable: Bool?
    /// The App Store's encryption hides what stands in the main binary.
    package private(set) var isEncrypted = false
    package private(set) var certificates: [BundledCertificate] = []
    /// Each once, with the first file that it is in.
    package private(set) var pinLikeStrings: [AppInspection.PinLikeString] = []
    /// Known ones, in order: `alamofire`, `trustkit`.
    package private(set) var libraries: [String] = []
    /// About the archive as a whole; those of a bundle are in its `file`.
    package private(set) var notes: [PinNote] = []
    /// Members that could not be read, or were too large to be looked through.
    package private(set) var unread: [String] = []

    /// Bytes of a file that is no binary: resources and certificates are smaller.
    static let resourceLimit = 16 << 20
    /// Bytes that are looked through in all, so that an app takes seconds.
    static let searchLimit = 512 << 20
    /// Files of each kind: extensions, resources, certificates.
    static let countLimit = 1000

    private var searched = 0
    private var scan = AppCodeScan(IPALibraries.known)

    /// - Throws: where there is no app in it, or its Info.plist cannot be read.
    package init(_ members: IPAMembers) throws(PinFileFault) {
        let paths = IPAPaths(members.names)
        guard let root = paths.apps.first else {
            throw PinFileFault(line: nil, "there is no Payload/NAME.app/Info.plist in it: this is no app for iOS")
        }
        // Neither the App Store nor a device takes one with more, so that nothing says which of them is meant.
        guard paths.apps.count == 1 else {
            throw PinFileFault(
                line: nil,
                "there are \(paths.apps.count) apps in it, and an app for iOS has one: "
                    + English.some(paths.apps.map { Printable.excerpt($0) }),
                hints: ["export the app that is meant by itself"])
        }
        app = try IPABundle(root, .app, members)
        readEmbedded(paths, members)
        readProfile(root, members)
        try requireSmall(paths, members)
        // Code first: what is also in a resource is told of by the code that may use it.
        readBinaries(paths, members)
        readResources(paths, members)
        libraries = scan.libraries
        pinLikeStrings = scan.strings
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
            search(path, members)
            if (members.size(path) ?? 0) <= Self.resourceLimit,
                let bytes = try? members.content(path, Self.resourceLimit)
            {
                readDeclared(in: PinFileContent(bytes), path: path)
            }
        }
        if paths.hasReactNativeBundle { scan.add(libraries: ["react-native"]) }
    }

    /// Files of another kind are nobody's here. Of one that is rejected nothing counts, as where it is linted by itself.
    private mutating func readDeclared(in content: PinFileContent, path: String) {
        do throws(PinFileFault) {
            if TrustKitReader.recognises(content) {
                resources.append(try TrustKitReader.read(content, path: path))
            } else if PinsJSONReader.recognises(content) {
                resources.append(try PinsJSONReader.read(content, path: path))
            } else if ReactNativeReader.recognises(content) {
                resources.append(try ReactNativeReader.read(content, path: path))
            }
        } catch {
            resourceFaults.append(AppInspection.Fault(path: path, fault: error))
        }
    }

    private func binaries(_ paths: IPAPaths, _ members: IPAMembers) -> [String] {
        let bundles = [app] + embedded
        let own = bundles.compactMap { bundle in bundle.executable.map { "\(bundle.path)/\($0)" } }
        let names = Set(members.names)
        return (own + paths.binaries).prefix(Self.countLimit).filter(names.contains)
    }

    /// What is too large to be searched might hold the very pins that are asked for.
    private func requireSmall(_ paths: IPAPaths, _ members: IPAMembers) throws(PinFileFault) {
        for path in binaries(paths, members) {
            guard let size = members.size(path) else { continue }
            try AppInspection.requireSearchable(path, size: size)
        }
    }

    private mutating func readBinaries(_ paths: IPAPaths, _ members: IPAMembers) {
        scan.add(libraries: IPALibraries.named(by: paths.frameworkNames))
        let main = app.executable.map { "\(app.path)/\($0)" }
        for path in binaries(paths, members) {
            guard search(path, members) else { continue }
            let image = IPAMachO { ranges in
                let parts = try? members.parts(path, ranges, ZipArchive.memberLimit)
                return parts ?? ranges.map { _ in [] }
            }
            if path == main {
                isEncrypted = image.isEncrypted
                if let entitlements = image.entitlements {
                    isDebuggable = entitlements["get-task-allow"]?.truth ?? false
                }
            }
            scan.add(libraries: IPALibraries.named(by: image.libraries))
        }
    }

    /// Whether the file was searched to its end.
    @discardableResult private mutating func search(_ path: String, _ members: IPAMembers) -> Bool {
        guard searched + (members.size(path) ?? 0) <= Self.searchLimit else {
            unread.append(path)
            return false
        }
        scan.begin(path)
        defer { scan.end() }
        do throws(PinFileFault) {
            try members.pieces(path, ZipArchive.memberLimit) { piece in
                searched += piece.count
                scan.add(piece)
                return true
            }
            return true
        } catch {
            unread.append(path)
            return false
        }
    }
}
