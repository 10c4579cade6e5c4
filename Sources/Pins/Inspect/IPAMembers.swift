import Facts

/// The files of an `.ipa`, by whoever can unpack one.
package struct IPAMembers {
    /// As they stand in the archive: `Payload/App.app/Info.plist`.
    package var names: [String]
    /// Unpacked; at most so many bytes, and a fault for one that has more or is broken.
    package var content: (_ name: String, _ limit: Int) throws(PinFileFault) -> [UInt8]

    package init(names: [String], content: @escaping (_ name: String, _ limit: Int) throws(PinFileFault) -> [UInt8]) {
        self.names = names
        self.content = content
    }
}

/// A bundle of an `.ipa` that runs as a process of its own.
package struct IPABundle: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        case app
        case appExtension = "extension"
        /// An app for a watch, or an app clip: within another, and yet by itself.
        case embeddedApp = "embedded app"
    }

    /// `Payload/App.app`.
    package var path: String
    package var kind: Kind
    package var id: String?
    package var version: String?
    package var build: String?
    /// Its main binary's name.
    package var executable: String?
    /// What its Info.plist declares; empty where it declares nothing.
    package var file: PinFile
    /// What of it the platform, or TrustKit, rejects.
    package var fault: PinFileFault?

    /// - Throws: where its Info.plist cannot be read at all.
    init(_ path: String, _ kind: Kind, _ members: IPAMembers) throws(PinFileFault) {
        self.path = path
        self.kind = kind
        let plist = path + "/Info.plist"
        file = PinFile(path: plist, format: .appleATS)
        let root = try PropertyList.read(PinFileContent(try members.content(plist, XMLReader.sizeLimit)))
        guard root.isDictionary else {
            throw PinFileFault(line: root.line, "\(plist) is \(root.kind), and no dictionary")
        }
        id = root["CFBundleIdentifier"]?.string
        version = root["CFBundleShortVersionString"]?.string
        build = root["CFBundleVersion"]?.string
        executable = root["CFBundleExecutable"]?.string
        do {
            file = try AppleConfigReader.read(root, path: plist)
        } catch {
            fault = error
        }
    }

    package var name: String { path.split(separator: "/").last.map(String.init) ?? path }
}
