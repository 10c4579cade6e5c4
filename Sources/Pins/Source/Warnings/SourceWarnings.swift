/// What a linter tells of in code that checks certificates, with or without pins in it.
enum SourceWarnings {
    static let words =
        AndroidChecks.words + AppleChecks.words + KeyHeaders.words + ScriptChecks.words

    static func all(in code: SourceEvaluator, _ words: SourceWords) -> [PinSetting] {
        var file = PinFile(path: "", format: .source)
        if words.has(anyOf: AndroidChecks.words) { AndroidChecks.read(code, in: &file) }
        if words.has(anyOf: AppleChecks.words) { AppleChecks.read(code, in: &file) }
        if words.has(anyOf: KeyHeaders.words) { KeyHeaders.read(code, in: &file) }
        if words.has(anyOf: ScriptChecks.words) { ScriptChecks.read(code, in: &file) }
        return file.settings.sorted { ($0.line, $0.text) < ($1.line, $1.text) }
    }
}
