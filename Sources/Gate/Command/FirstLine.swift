import Loop

/// What a script says to be run by.
///
/// The system calls a script "no such file" when it is its interpreter that is not there, and that once a run has begun.
struct FirstLine: Hashable {
    /// After `#!`, up to the first blank; nil: the file is text and has no such line.
    var program: String?

    /// nil where the file cannot be read, or is no text: then the system decides.
    init?(of path: String) {
        var bytes: [UInt8] = []
        // The file's size is nobody's concern, only its beginning is.
        try? Files.readPieces(of: path, limit: .max) { piece in
            bytes += piece.prefix(Self.readAtMost - bytes.count)
            return bytes.count < Self.readAtMost
        }
        self.init(bytes)
    }

    /// - Parameter bytes: how the file begins.
    init?(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, !bytes.contains(0) else { return nil }
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        guard line.starts(with: "#!".utf8) else {
            // Formats of programs have bytes that no text has; a shell would guess, the system does not.
            guard line.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == 0x09 || $0 == 0x0D }) else { return nil }
            program = nil
            return
        }
        let blanks: [UInt8] = [UInt8(ascii: " "), UInt8(ascii: "\t")]
        let words = line.dropFirst(2).drop(while: blanks.contains).prefix { !blanks.contains($0) }
        guard !words.isEmpty else { return nil }
        program = String(decoding: words, as: UTF8.self)
    }

    /// Linux reads no more of a first line (BINPRM_BUF_SIZE).
    private static let readAtMost = 256

    func require(by command: String) throws(GateError) {
        guard let program else { throw .commandWithoutInterpreter(command) }
        guard !program.hasPrefix("/") || Files.exists(program) else {
            throw .interpreterNotFound(command, program: program)
        }
    }
}
