import Facts

/// Where an APK and an app bundle keep what is read of them.
struct AndroidArchive {
    enum Kind: Hashable {
        /// Compiled resources and XML.
        case apk
        /// The same as protocol buffers, in modules of which `base` is the app.
        case bundle

        init?(_ archive: ZipArchive) {
            if archive[Kind.bundle.manifest] != nil {
                self = .bundle
            } else if archive[Kind.apk.manifest] != nil {
                self = .apk
            } else {
                return nil
            }
        }

        var manifest: String { self == .apk ? "AndroidManifest.xml" : "base/manifest/AndroidManifest.xml" }
        var table: String { self == .apk ? "resources.arsc" : "base/resources.pb" }
        /// In the archive, of a path in the resource table.
        func path(ofResource path: String) -> String { self == .apk ? path : "base/\(path)" }
    }

    /// All members that are searched together, so that an app takes seconds.
    ///
    /// The largest apps have some 300 MB of code for one kind of processor, and code comes first. What is beyond is
    /// named in a note.
    static let scanBudget = 512 << 20
    /// One asset; larger ones are films and models.
    static let assetLimit = 64 << 20
    /// Of one file with certificates; a bundle of all public roots has a quarter of it.
    static let certificateLimit = 1 << 20
    static let certificateCount = 64
    /// Assets and resources whose first bytes are looked at, as their names say nothing.
    static let unnamedCount = 5000

    let archive: ZipArchive
    let kind: Kind
    let inflate: ZipArchive.Inflate

    init(_ archive: ZipArchive, _ inflate: @escaping ZipArchive.Inflate) throws(PinFileFault) {
        guard let kind = Kind(archive) else {
            throw PinFileFault(line: nil, "there is no AndroidManifest.xml in it")
        }
        (self.archive, self.kind, self.inflate) = (archive, kind, inflate)
    }

    func content(of member: ZipArchive.Member, limit: Int) throws(ZipFault) -> [UInt8] {
        try archive.content(of: member, limit: limit, inflate: inflate)
    }

    func pieces(of member: ZipArchive.Member, _ take: (_ piece: [UInt8]) -> Bool) throws(ZipFault) {
        try archive.pieces(of: member, inflate: inflate, take)
    }

    /// A fault does not name the member: `named` does, for whoever knows the archive alone.
    func content(_ path: String, limit: Int) throws(PinFileFault) -> [UInt8] {
        guard let member = archive[path] else {
            throw PinFileFault(line: nil, "it is not in the archive", .failsClosed)
        }
        do {
            return try content(of: member, limit: limit)
        } catch {
            throw PinFileFault(line: nil, error.reason)
        }
    }

    /// The same fault, which says in which member it is.
    static func named(_ path: String, _ fault: PinFileFault) -> PinFileFault {
        var fault = fault
        let line = fault.line.map { " line \($0)," } ?? ""
        fault.message = "\(Printable.excerpt(path)):\(line) \(fault.message)"
        fault.line = nil
        return fault
    }

    func xml(_ path: String) throws(PinFileFault) -> XMLElement {
        let bytes = try content(path, limit: XMLReader.sizeLimit)
        if kind == .bundle { return try ProtobufXMLReader.read(bytes) }
        // Text is nothing that the platform could read in an APK.
        guard BinaryXMLReader.recognises(bytes) else {
            throw PinFileFault(line: nil, "it is no compiled XML", .failsClosed)
        }
        return try BinaryXMLReader.read(bytes)
    }

    /// Empty where the app has no resources.
    func table(limit: Int) throws(PinFileFault) -> ResourceTable {
        guard archive[kind.table] != nil else { return ResourceTable() }
        let bytes: [UInt8]
        do throws(PinFileFault) { bytes = try content(kind.table, limit: limit) } catch {
            throw Self.named(kind.table, error)
        }
        return try kind == .apk ? ResourceTable(compiled: bytes) : ResourceTable(protobuf: bytes)
    }

    /// Code first, then libraries for one kind of processor, then assets and raw resources; of a bundle the texts, too.
    var scanned: [ZipArchive.Member] {
        let code = archive.members.filter { $0.name.hasSuffix(".dex") }
        let libraries = archive.members.filter { $0.name.hasSuffix(".so") && $0.name.contains("lib/") }
        let processor = Self.processors.first { name in libraries.contains { $0.name.contains("/\(name)/") } }
        let assets = archive.members.filter {
            ($0.name.contains("assets/") || $0.name.contains("res/raw/")) && $0.size > 0
                && Self.isSearched(asset: $0.name) || kind == .bundle && $0.name == kind.table
        }
        return code + libraries.filter { member in processor.map { member.name.contains("/\($0)/") } ?? true } + assets
    }

    static func isCode(_ name: String) -> Bool { name.hasSuffix(".dex") || name.hasSuffix(".so") }

    /// The same code is there once for each; most devices have the first.
    private static let processors = ["arm64-v8a", "armeabi-v7a", "x86_64", "x86", "riscv64", "armeabi"]

    /// Pictures, sounds and fonts hold no text.
    private static func isSearched(asset name: String) -> Bool {
        ![
            "png", "jpg", "jpeg", "webp", "gif", "mp3", "mp4", "ogg", "wav", "webm", "ttf", "otf", "woff", "woff2",
            "tflite",
        ]
        .contains(fileExtension(name))
    }

    static func isCertificate(_ name: String) -> Bool {
        // The app's own signature is no certificate that it judges connections by.
        !name.hasPrefix("META-INF/") && CertificateSigns.isNamed(name)
    }

    /// What may be a certificate under any name; shrinkers take the names of resources away.
    var unnamed: [ZipArchive.Member] {
        archive.members.filter {
            ($0.name.contains("assets/") || $0.name.contains("res/")) && $0.size >= CertificateSigns.length
                && $0.size <= Self.certificateLimit && Self.isSearched(asset: $0.name) && !$0.name.hasSuffix(".xml")
        }
    }

    private static func fileExtension(_ name: String) -> String {
        guard let dot = name.lastIndex(of: ".") else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }
}
