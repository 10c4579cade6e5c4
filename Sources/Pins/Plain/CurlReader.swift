import Facts

/// Reads `--pinnedpubkey` out of scripts that call curl, and out of `.curlrc`.
///
/// Semantics: curl(1) and CURLOPT_PINNEDPUBLICKEY(3). Commands are found wherever the word `curl` begins one: in shell
/// scripts, CI files, Dockerfiles, and in lists of strings (`["curl", "--pinnedpubkey", "…"]`).
package enum CurlReader: PinFileReader {
    /// Bytes; a script has some thousand, and each of its lines may be read more than once.
    static let sizeLimit = 1 << 20

    /// Commands with a quotation mark that is not closed; behind so many, a command ends with its line.
    private static let brokenLimit = 100

    package static func recognises(_ content: PinFileContent) -> Bool {
        guard content.bytes.count <= sizeLimit, ByteSearch.contains(Array("pinnedp".utf8), in: content.bytes),
            let text = content.text
        else { return false }
        let bytes = Array(text.utf8)
        return commands(in: bytes).contains(where: \.isPinned) || CurlConfigFile.declaresPins(bytes)
    }

    package static func read(_ content: PinFileContent, path: String) throws(PinFileFault) -> PinFile {
        guard content.bytes.count <= sizeLimit else {
            throw PinFileFault(line: nil, "it has more than \(sizeLimit >> 20) MB, the most that is read of a script")
        }
        guard let text = content.text else { throw PinFileFault(line: nil, "it is no text") }
        let bytes = Array(text.utf8)
        var file = PinFile(path: path, format: .curl)
        let commands = commands(in: bytes)
        if commands.contains(where: \.isPinned) {
            for command in commands { command.add(to: &file, isCommand: true) }
        } else {
            CurlConfigFile.read(bytes).add(to: &file)
        }
        return file
    }

    // MARK: Commands

    static func commands(in bytes: [UInt8]) -> [CurlOptions] {
        var variables = ShellVariables(bytes)
        let lines = LineCount(bytes)
        let texts = ShellTexts(bytes, lines)
        let calls = CurlCalls(bytes, variables, lines, texts)
        var found: [(at: Int, options: CurlOptions)] = []
        var broken = 0
        var ranges: [(range: Range<Int>, depth: Int)] = [(0..<bytes.count, 0)]
        while let (range, depth) = ranges.popLast() {
            var at = range.lowerBound
            while let name = CurlWord.first(in: bytes, from: at, to: range.upperBound) {
                at = name.end
                guard !lines.isComment(name.start), !texts.isPrinted(name.start), !calls.areMade(of: name.start) else {
                    continue
                }
                let line = lines.line(of: name.start)
                var options = CurlOptions(line: line)
                if let list = CurlWord.list(in: bytes, from: name, to: range.upperBound, line: line) {
                    options.read(list.words)
                    at = list.end
                } else if name.within(texts.quote(around: name.start)).quote == UInt8(ascii: "\"") {
                    let name = name.within(UInt8(ascii: "\""))
                    let (inner, end) = name.quoted(in: bytes, to: range.upperBound)
                    var words = ShellWords(inner, in: 0..<inner.count, line: line, variables: variables.values)
                    options.read(words.command())
                    at = max(at, end)
                } else {
                    let lineEnd = min(lines.end(of: line), range.upperBound)
                    var words = ShellWords(
                        bytes, in: name.end..<(broken < brokenLimit ? range.upperBound : max(lineEnd, name.end)),
                        line: line, within: name.within(texts.quote(around: name.start)).quote,
                        variables: depth == 0 ? variables.values(before: name.start) : variables.values)
                    var arguments = words.command()
                    if words.isBroken {
                        // An apostrophe in prose, say: what stands in this line is what there is.
                        broken += 1
                        words = ShellWords(
                            bytes, in: name.end..<max(lineEnd, name.end), line: line,
                            within: name.within(texts.quote(around: name.start)).quote,
                            variables: variables.values)
                        arguments = words.command()
                    }
                    options.read(arguments)
                    at = max(at, words.position)
                    if depth < ShellWords.depthLimit { ranges += words.substitutions.map { ($0, depth + 1) } }
                }
                found.append((name.start, options))
            }
        }
        found += calls.options
        return found.sorted { $0.at < $1.at }.map(\.options)
    }
}
