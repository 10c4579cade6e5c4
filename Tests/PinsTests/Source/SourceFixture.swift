import Facts

@testable import Pins

/// Source code for a test: `{A}` to `{F}` stand for pins, in base64, `{A:}` for fingerprints.
enum SourceFixture {
    static func digest(_ letter: Character) -> [UInt8] { Array(repeating: letter.asciiValue ?? 0, count: 32) }

    static func text(_ source: String) -> String {
        var text = source
        for letter in "ABCDEF" {
            let fingerprint = digest(letter).map { Hex.encode([$0]).uppercased() }.joined(separator: ":")
            text = text.split(separator: "{\(letter):}", omittingEmptySubsequences: false).joined(
                separator: fingerprint)
            text = text.split(separator: "{\(letter)}", omittingEmptySubsequences: false)
                .joined(separator: Base64.encode(digest(letter)))
        }
        return text
    }

    static func read(_ source: String, _ path: String) throws -> [PinFile] {
        try SourceFile.read(PinFileContent(text(source)), path: path)
    }

    /// The file of one format.
    static func file(_ source: String, _ path: String, _ format: PinFormat) throws -> PinFile? {
        try read(source, path).first { $0.format == format }
    }

    /// `3 *.example.com: A B ?`: the line, the patterns, the pins, and what is not known of them.
    static func shown(_ file: PinFile?) -> [String] {
        (file?.hosts ?? []).map { host in
            var text =
                "\(host.line) "
                + (host.patterns.isEmpty ? host.domain.map { "(\($0))" } ?? "?" : host.patterns.joined(separator: "+"))
            text += ":" + host.pins.map { " " + shown($0) }.joined()
            if !host.isPinned { text += " unpinned" }
            if !host.pinsKnown { text += " ?" }
            if !host.isEnforced { text += " reported" }
            if let day = host.expires { text += " until \(day)" }
            return text
        }
    }

    static func shown(_ pin: DeclaredPin) -> String {
        let kind =
            [.spkiSHA256: "", .spkiSHA1: "sha1/", .certificateSHA256: "cert/", .certificateSHA1: "cert1/"][pin.kind]
            ?? "md5/"
        guard let digest = pin.digest else { return kind + "bad" }
        let letter = Set(digest).count == 1 ? Character(UnicodeScalar(digest[0])) : "~"
        return kind + String(letter)
    }

    /// `5 unresolved`, and of settings `7 nameCheckOff api.example.com`.
    static func notes(_ file: PinFile?) -> [String] { (file?.notes ?? []).map { "\($0.line) \($0.id.rawValue)" } }
    static func settings(_ files: [PinFile]) -> [String] {
        files.flatMap(\.settings).map { "\($0.line) \($0.kind.rawValue)" + ($0.host.map { " \($0)" } ?? "") }
    }
}
