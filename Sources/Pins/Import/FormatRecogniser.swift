import Facts

/// Finds out by a file's content, never by its name, which formats it has, and reads them.
///
///     if FormatRecogniser.isProfile(content) { … the profile loader, and PinFile(profile:path:) … }
///     let files = try FormatRecogniser.standard.read(content, path: path)
///
/// Source code may have several formats in one file: there is a `PinFile` for each.
package struct FormatRecogniser {
    /// Entries of one file. The largest real ones have some hundred; each is compared with its neighbours.
    package static let maxEntries = 2_000
    /// Pins of one file: where entries unite, each has to show those of all.
    package static let maxPins = 4_000

    /// Reads all formats that one file of source code has; none where there is nothing in it.
    package typealias CodeReader = (PinFileContent, _ path: String) throws(PinFileFault) -> [PinFile]

    private let readers: [any PinFileReader.Type]
    private let code: CodeReader?

    package init(_ readers: [any PinFileReader.Type], code: CodeReader? = nil) {
        self.readers = readers
        self.code = code
    }

    /// Every format that is read. None recognises what is another's.
    package static var standard: FormatRecogniser { standard(beside: nil) }

    /// - Parameter neighbours: the source files of the same call, whose constants count in each other.
    package static func standard(beside neighbours: SourceNeighbours?) -> FormatRecogniser {
        FormatRecogniser(
            [
                AndroidConfigReader.self, AndroidManifestReader.self, AppleConfigReader.self, TrustKitReader.self,
                ExpoConfigReader.self, PinsJSONReader.self, ReactNativeReader.self, CurlReader.self, HPKPReader.self,
            ]
        ) { content, path throws(PinFileFault) in
            SourceFile.recognises(content) ? try SourceFile.read(content, path: path, beside: neighbours) : []
        }
    }

    /// - Throws: what a reader throws; and where nothing is known in it, or there is too much (65).
    package func read(_ content: PinFileContent, path: String) throws(PinFileFault) -> [PinFile] {
        var files: [PinFile] = []
        for reader in readers where reader.recognises(content) { files.append(try reader.read(content, path: path)) }
        if let code { files += try code(content, path) }
        guard !files.isEmpty else { throw Self.nothingKnown(content) }
        let entries = files.reduce(0) { $0 + $1.hosts.count }
        guard entries <= Self.maxEntries else {
            throw PinFileFault(line: nil, "it has \(entries) entries, and at most \(Self.maxEntries) are looked at")
        }
        let pins = files.reduce(0) { $1.hosts.reduce($0) { $0 + $1.pins.count } }
        guard pins <= Self.maxPins else {
            throw PinFileFault(line: nil, "it has \(pins) pins, and at most \(Self.maxPins) are looked at")
        }
        return files
    }

    /// A pinproof profile: text with `version: 1` at the beginning of a line, and no markup or JSON before it.
    package static func isProfile(_ content: PinFileContent) -> Bool {
        guard let text = content.text else { return false }
        for line in text.utf8.split(whereSeparator: { $0 == 10 || $0 == 13 }) {
            switch line.first {
            case UInt8(ascii: "#"), UInt8(ascii: " "), UInt8(ascii: "\t"): continue
            case UInt8(ascii: "<"), UInt8(ascii: "{"), UInt8(ascii: "["): return false
            default: break
            }
            guard let value = Self.value(of: "version", in: line) else { continue }
            return value == "1"
        }
        return false
    }

    private static func value(of key: String, in line: Substring.UTF8View) -> Substring? {
        let line = Substring(line)
        guard line.hasPrefix(key + ":") else { return nil }
        let value = line.dropFirst(key.utf8.count + 1).prefix { $0 != "#" }
        return Substring(value.split(separator: " ").joined(separator: " "))
    }

    /// What is read, in a sentence.
    static let known =
        "pins are read of Android's network security config, Info.plist, TrustKit, OkHttp, Alamofire, Cronet, Flutter, "
        + "React Native, curl, HPKP headers, pins.json and profiles"

    private static let nothing = "nothing in it declares pins in a way that is known"

    /// The file is text, and has no pins: of use where it has constants of another.
    package static func isOfNothing(_ fault: PinFileFault) -> Bool { fault.message == nothing && fault.line == nil }

    /// Why there is nothing to read, as far as the content tells.
    static func nothingKnown(_ content: PinFileContent) -> PinFileFault {
        let bytes = content.bytes
        if bytes.isEmpty { return PinFileFault(line: nil, "it is empty") }
        if bytes.starts(with: [0x50, 0x4b, 3, 4]) || bytes.starts(with: [0x50, 0x4b, 5, 6]) {
            return PinFileFault(
                line: nil, "it is an archive without an app in it", hints: ["an .apk, .aab or .ipa is read as a whole"])
        }
        let isDER = bytes.count > 4 && bytes[0] == 0x30 && (bytes[1] == 0x82 || bytes[1] == 0x81)
        if isDER || content.text?.contains("-----BEGIN ") == true {
            return PinFileFault(
                line: nil, "it is a certificate or a key, and declares no pins",
                hints: ["its pin: pinproof pins FILE"])
        }
        guard let text = content.text else {
            return PinFileFault(line: nil, "it is no text, and no binary format that pins are read of", hints: [known])
        }
        let start = text.drop { $0.isWhitespace }
        if start.hasPrefix("<") {
            do {
                let name = Printable.excerpt(try XMLReader.read(text).name)
                return PinFileFault(
                    line: nil, "it declares no pins: its outermost element is <\(name)>", hints: [known])
            } catch {
                // With its line: it may be a configuration all the same.
                return PinFileFault(
                    line: error.line,
                    "nothing in it declares pins, and it is no XML that can be read: \(error.message)",
                    hints: error.hints + [known])
            }
        }
        return PinFileFault(line: nil, nothing, hints: [known])
    }
}
