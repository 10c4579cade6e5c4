import Facts

/// Words for any POSIX shell, whatever is in them.
enum ShellQuoting {
    /// Longer ones are piped: Linux takes 128 KiB in one word.
    static let wordLimit = 64 * 1024

    /// Nothing but what is printed and ends of lines, so that it can stand between quotes and be pasted.
    static func isPlain(_ bytes: [UInt8]) -> Bool {
        guard let text = String(validating: bytes, as: UTF8.self) else { return false }
        return text.unicodeScalars.allSatisfy { $0.isPrintable || $0 == "\n" }
    }

    /// One word. Bytes that are not plain are printed in octal, since quotes would hand them to the terminal as well.
    ///
    /// No NUL can be in it, and no line end at the end of what is not plain; callers have no such words.
    static func word(_ bytes: [UInt8]) -> String {
        guard isPlain(bytes) else {
            let octal = bytes.map { byte in
                if byte.isAlphanumeric || byte == 0x20 || ":/.,=_-;".utf8.contains(byte) {
                    return String(decoding: [byte], as: UTF8.self)
                }
                let digits = String(byte, radix: 8)
                return "\\0" + String(repeating: "0", count: 3 - digits.count) + digits
            }
            return "\"$(printf '%b' '" + octal.joined() + "')\""
        }
        let text = String(decoding: bytes, as: UTF8.self)
        return "'" + text.replacing("'", with: #"'\''"#) + "'"
    }

    static func word(_ text: String) -> String { word(Array(text.utf8)) }

    /// A command that prints these bytes.
    static func printing(_ bytes: [UInt8]) -> String { "printf %s '\(Base64.encode(bytes))' | base64 --decode" }

    /// May it be one word of a command?
    static func fits(_ body: [UInt8]) -> Bool { body.count <= wordLimit && isPlain(body) }
}
