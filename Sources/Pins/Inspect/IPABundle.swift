import Facts

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
    /// What of it TrustKit raises an exception at: the app does not start.
    package var faults: [PinFileFault]

    /// - Throws: where its Info.plist cannot be read at all.
    init(_ path: String, _ kind: Kind, _ members: IPAMembers) throws(PinFileFault) {
        self.path = path
        self.kind = kind
        let plist = path + "/Info.plist"
        let root = try PropertyList.read(PinFileContent(try members.content(plist, XMLReader.sizeLimit)))
        guard root.isDictionary else {
            throw PinFileFault(line: root.line, "\(plist) is \(root.kind), and no dictionary")
        }
        id = root["CFBundleIdentifier"]?.string
        version = root["CFBundleShortVersionString"]?.string
        build = root["CFBundleVersion"]?.string
        executable = root["CFBundleExecutable"]?.string
        let reading = AppleConfigReader.reading(of: root, path: plist)
        file = reading.file
        faults = reading.faults
    }

    package var name: String { path.split(separator: "/").last.map(String.init) ?? path }
}
