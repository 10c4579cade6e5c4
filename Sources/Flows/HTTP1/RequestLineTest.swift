/// Whether bytes are a request's first line, where they could be a body as well.
enum RequestLineTest {
    /// As long as servers have to take one (RFC 9112 §3).
    private static let limit = 8000
    private static let methods = ["GET ", "HEAD ", "POST ", "PUT ", "DELETE ", "PATCH ", "OPTIONS "].map {
        Array($0.utf8)
    }
    private static let versions = [" HTTP/1.1", " HTTP/1.0"].map { Array($0.utf8) }

    /// It can become one.
    static func mayBegin(_ line: [UInt8]) -> Bool {
        line.count <= limit && methods.contains { line.starts(with: $0) || $0.starts(with: line) }
    }

    /// - Parameter line: without its LF.
    static func isOne(_ line: [UInt8]) -> Bool {
        let words = line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...]
        return mayBegin(line) && words.count { $0 == UInt8(ascii: " ") } == 2
            && versions.contains { words.suffix($0.count).elementsEqual($0) }
    }
}
