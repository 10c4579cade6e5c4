import Facts

/// Reads `Public-Key-Pins` headers (RFC 7469), as a server sends them or is configured to.
///
///     Public-Key-Pins: pin-sha256="…="; pin-sha256="…="; max-age=5184000; includeSubDomains
///     add_header Public-Key-Pins 'pin-sha256="…="; …';
///     Header always set Public-Key-Pins "pin-sha256=\"…=\"; …"
///
/// No browser heeds them any more (Chrome since 72, Firefox since 72); they are worth importing all the same. Which
/// host they are of stands nowhere in them, so it is nil; `pins export` writes it as `# of HOST` on the line before.
package enum HPKPReader: PinFileReader {
    private static let name = Array("public-key-pins".utf8)
    /// Bytes; a server's configuration has some thousand.
    static let sizeLimit = 1 << 20

    package static func recognises(_ content: PinFileContent) -> Bool {
        guard content.bytes.count <= sizeLimit, content.text != nil else { return false }
        return headers(in: content.bytes).contains { !$0.pins.isEmpty }
    }

    package static func read(_ content: PinFileContent, path: String) throws(PinFileFault) -> PinFile {
        guard content.bytes.count <= sizeLimit else {
            throw PinFileFault(line: nil, "it has more than \(sizeLimit >> 20) MB, the most that is read of one")
        }
        guard content.text != nil else { throw PinFileFault(line: nil, "it is no text") }
        var file = PinFile(path: path, format: .hpkp)
        let lines = LineCount(content.bytes)
        for header in headers(in: content.bytes) where !header.pins.isEmpty || header.isValue {
            header.add(to: &file)
            file.hosts[file.hosts.count - 1].domain = host(before: header.line, lines, content.bytes)
        }
        return file
    }

    /// Of a comment that is `# of HOST`, and nothing else.
    private static func host(before line: Int, _ lines: LineCount, _ bytes: [UInt8]) -> String? {
        guard line > 1 else { return nil }
        let start = line > 2 ? lines.end(of: line - 2) + 1 : 0
        let end = lines.end(of: line - 1)
        guard start < end, end - start <= 300, bytes[start..<end].starts(with: "# of ".utf8) else { return nil }
        let name = String(decoding: bytes[(start + 5)..<end].filter { $0 != 13 }, as: UTF8.self)
        return name.contains(".") ? HostName(name)?.text : nil
    }

    private static func headers(in bytes: [UInt8]) -> [HPKPHeader] {
        let lower = bytes.map { $0 >= 65 && $0 <= 90 ? $0 | 0x20 : $0 }
        let lines = LineCount(bytes)
        let comments = CodeComments(bytes, lines)
        var headers: [HPKPHeader] = []
        var at = 0
        while let found = ByteSearch.first(name, in: lower, from: at) {
            var end = found + name.count
            at = end
            guard !comments.contains(found) else { continue }
            let reportOnly = lower[end...].starts(with: "-report-only".utf8)
            if reportOnly { end += "-report-only".utf8.count }
            // The name of something else that begins like it.
            guard end >= bytes.count || !(ShellWords.isName(bytes[end]) || bytes[end] == UInt8(ascii: "-")) else {
                continue
            }
            let header = HPKPHeader(bytes, from: end, line: lines.line(of: found), isReportOnly: reportOnly)
            at = max(at, header.end)
            headers.append(header)
        }
        return headers
    }
}
