import Facts

/// Source code that declares pins or takes checks out: a `PinFile` for each format.
///
///     for file in try SourceFile.read(content, path: "app/src/Net.kt") { … }   // none where nothing is declared
package enum SourceFile {
    /// True of text that has a word which one of the readers looks for; whether it declares anything, reading tells.
    package static func recognises(_ content: PinFileContent) -> Bool {
        content.text != nil && !isMarkup(content.bytes) && !words(content.bytes).found.isEmpty
    }

    /// - Parameter neighbours: other files, in which constants may stand.
    /// - Throws: `PinFileFault` where a library itself rejects what is declared, or the file is over the bound.
    package static func read(
        _ content: PinFileContent, path: String, beside neighbours: SourceNeighbours? = nil
    ) throws(PinFileFault) -> [PinFile] {
        let words = words(content.bytes)
        guard !words.found.isEmpty, let code = try code(content, path: path) else { return [] }
        code.neighbours = neighbours
        code.path = path
        var files: [PinFile] = []
        if words.has(anyOf: OkHttpReader.words), let file = try OkHttpReader.read(code, path: path) {
            files.append(file)
        }
        if words.has(anyOf: CronetReader.words), let file = try CronetReader.read(code, path: path) {
            files.append(file)
        }
        if words.has(anyOf: AlamofireReader.words), let file = try AlamofireReader.read(code, path: path) {
            files.append(file)
        }
        if words.has(anyOf: AFNetworkingReader.words), let file = AFNetworkingReader.read(code, path: path) {
            files.append(file)
        }
        if words.has(anyOf: TrustKitSourceReader.words), let file = try TrustKitSourceReader.read(code, path: path) {
            files.append(file)
        }
        if words.has(anyOf: FlutterReader.words), let file = FlutterReader.read(code, path: path) { files.append(file) }
        if words.has(anyOf: ReactNativeSourceReader.words),
            let file = ReactNativeSourceReader.read(code, path: path)
        {
            files.append(file)
        }
        if words.has(anyOf: PinTableReader.words), let file = PinTableReader.read(code, path: path) {
            files.append(file)
        }
        let settings = SourceWarnings.all(in: code, words)
        let notes = files.contains { !$0.hosts.isEmpty } ? [] : HandMadePins.notes(in: code)
        let callsValidator = TrustKitSourceReader.callsValidator(code)
        if !settings.isEmpty || !notes.isEmpty || callsValidator && files.isEmpty {
            files.append(PinFile(path: path, format: .source, notes: notes, settings: settings))
        }
        if !files.isEmpty {
            files[0].callsValidator = callsValidator
            files[0].namedHosts = code.addressedHosts
        }
        try code.checkBounds()
        return files.map(\.distinct)
    }

    /// nil where it is no code in a language that is read here.
    static func code(_ content: PinFileContent, path: String) throws(PinFileFault) -> SourceEvaluator? {
        guard let text = content.text, !isMarkup(content.bytes), !isProse(path) else { return nil }
        guard content.bytes.count <= SourceTokenizer.sizeLimit else {
            throw PinFileFault(
                line: nil,
                "it has more than \(SourceTokenizer.sizeLimit >> 20) MB, the most that is read of a file of source code"
            )
        }
        guard let language = SourceLanguage(path: path, text: text) else { return nil }
        let source = SourceText(text, language)
        // Before anything of it is followed.
        if source.isTooDeep, language.isRefusedWhereDeep {
            throw PinFileFault(
                line: nil, "its brackets lie more than \(SourceText.depthLimit) deep, the most that is followed")
        }
        return SourceEvaluator(source)
    }

    private static func isProse(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        return name.lastIndex(of: ".").map {
            SourceLanguage.prose.contains(name[name.index(after: $0)...].lowercased())
        } ?? false
    }

    /// XML, property lists and JSON have readers of their own.
    private static func isMarkup(_ bytes: [UInt8]) -> Bool {
        let start = bytes.prefix(64).drop { $0 <= 32 || $0 >= 0xef }
        return start.first == UInt8(ascii: "<") || start.starts(with: "bplist".utf8)
            || start.first == UInt8(ascii: "{") && start.dropFirst().first { $0 > 32 } == UInt8(ascii: "\"")
    }

    static func words(_ bytes: [UInt8]) -> SourceWords {
        // What is behind the bound is refused anyway.
        SourceWords(bytes.prefix(SourceTokenizer.sizeLimit), lookingFor: wanted)
    }

    private static let wanted = Set(
        OkHttpReader.words + CronetReader.words + AlamofireReader.words + AFNetworkingReader.words
            + TrustKitSourceReader.words + TrustKitSourceReader.validatorWords + FlutterReader.words
            + ReactNativeSourceReader.words + PinTableReader.words + SourceWarnings.words + HandMadePins.words)
}

extension SourceEvaluator {
    /// More addresses than an app has in one file.
    private static let addressLimit = 200

    /// Hosts of `https://` addresses that stand in strings.
    var addressedHosts: [String] {
        var hosts: Set<String> = []
        for at in source.tokens.indices where hosts.count < Self.addressLimit {
            guard let text = source.constant(at: at), text.hasPrefix("https://"),
                let host = URLHost.host(of: text).flatMap({ HostName($0) }), !host.isIP
            else { continue }
            hosts.insert(host.text)
        }
        return hosts.sorted()
    }
}

/// A reader of one format in source code, recognised by a word.
protocol SourceReader: PinFileReader {
    static var words: [String] { get }
    static var format: PinFormat { get }
    /// nil where nothing of the format is in the file.
    static func read(_ code: SourceEvaluator, path: String) throws(PinFileFault) -> PinFile?
}

extension SourceReader {
    package static func recognises(_ content: PinFileContent) -> Bool {
        content.text != nil && SourceFile.words(content.bytes).has(anyOf: words)
    }

    package static func read(_ content: PinFileContent, path: String) throws(PinFileFault) -> PinFile {
        guard let code = try SourceFile.code(content, path: path) else { return PinFile(path: path, format: format) }
        let file = try read(code, path: path)
        try code.checkBounds()
        return file?.distinct ?? PinFile(path: path, format: format)
    }
}

extension PinFile {
    /// Once, however many loops or callers lead to it.
    mutating func note(_ id: PinNote.ID, host: String? = nil, line: Int, _ text: String) {
        let note = PinNote(id, line: line, text, host: host)
        // Most repetitions follow each other; `distinct` has the others.
        if !notes.suffix(16).contains(note) { notes.append(note) }
    }

    mutating func set(
        _ kind: PinSetting.Kind, host: String? = nil, coversSubdomains: Bool = false, line: Int, _ text: String
    ) {
        let setting = PinSetting(kind, host: host, coversSubdomains: coversSubdomains, line: line, text)
        if !settings.suffix(16).contains(setting) { settings.append(setting) }
    }

    /// Each host, note and setting once, for a loop or a second caller may have led to one of them again; hosts in
    /// the order of the file.
    var distinct: PinFile {
        var file = self
        let hosts = Self.distinct(file.hosts).enumerated()
        file.hosts = hosts.sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }.map(\.element)
        file.notes = Self.distinct(file.notes)
        file.settings = Self.distinct(file.settings)
        return file
    }

    private static func distinct<Element: Hashable>(_ elements: [Element]) -> [Element] {
        var seen: Set<Element> = []
        return elements.filter { seen.insert($0).inserted }
    }

    /// Objects that are told apart. A program has some; a hostile file's entries would each be compared with each.
    private static let maxPinners = 32

    /// Tells apart the objects that entries are of, where there are several.
    /// - Parameter objects: for each entry what its object is known by.
    mutating func tellApart<Object: Hashable>(_ objects: [Object]) {
        let distinct = objects.uniqued()
        guard distinct.count > 1, distinct.count <= Self.maxPinners, objects.count == hosts.count else { return }
        for (place, object) in objects.enumerated() { hosts[place].pinner = distinct.firstIndex(of: object) }
    }

    /// Nothing in it.
    var isEmpty: Bool { hosts.isEmpty && notes.isEmpty && settings.isEmpty }
}
