/// Checks that are switched off in Node.js, Python, Go and libcurl.
enum ScriptChecks {
    static let words = [
        "rejectUnauthorized", "NODE_TLS_REJECT_UNAUTHORIZED", "checkServerIdentity", "verify", "check_hostname",
        "CERT_NONE",
        "_create_unverified_context", "assert_hostname", "InsecureSkipVerify", "CURLOPT_SSL_VERIFYPEER",
        "CURLOPT_SSL_VERIFYHOST",
    ]

    static func read(_ code: SourceEvaluator, in file: inout PinFile) {
        switch code.source.language {
        case .script: script(code, in: &file)
        case .python: python(code, in: &file)
        case .cpp, .objectiveC: curl(code, in: &file)
        default: break
        }
    }

    /// Where a word is given a value, by `:` or `=`.
    private static func given(_ word: String, _ code: SourceEvaluator) -> [(place: Int, value: SourceToken)] {
        (code.index.places[word] ?? []).compactMap { place in
            guard code.source.isSymbol(":", at: place + 1) || code.source.isSymbol("=", at: place + 1),
                let value = code.source[place + 2],
                !DebugGuard.holds(at: place, code)
            else { return nil }
            return (place, value)
        }
    }

    private static func script(_ code: SourceEvaluator, in file: inout PinFile) {
        let source = code.source
        for (place, value) in given("rejectUnauthorized", code) where value.names("false") {
            file.set(.chainCheckOff, line: source.line(place), "rejectUnauthorized: false")
        }
        let quoted = source.tokens.indices.filter { at in
            let text = source.constant(at: at)
            return text == "NODE_TLS_REJECT_UNAUTHORIZED" || text == "rejectUnauthorized"
        }
        for place in quoted + (code.index.places["NODE_TLS_REJECT_UNAUTHORIZED"] ?? [])
        where !DebugGuard.holds(at: place, code) {
            let at = source.isSymbol("]", at: place + 1) ? place + 2 : place + 1
            guard source.isSymbol("=", at: at) || source.isSymbol(":", at: at) else { continue }
            if source.constant(at: at + 1) == "0" || source[at + 1]?.number == 0 || source.isWord("false", at: at + 1) {
                let name = source.constant(at: place) ?? source.tokens[place].text
                file.set(.chainCheckOff, line: source.line(place), "\(name) is off")
            }
        }
        for (place, _) in given("checkServerIdentity", code) {
            let start = place + 2
            let end = source.isSymbol("(", at: start) ? source.end(of: start) : start
            guard source.isSymbol("=>", at: end + 1) else { continue }
            let body = source.isSymbol("{", at: end + 2)
            let isEmpty =
                body ? source.end(of: end + 2) == end + 3 : ["undefined", "null"].contains(source[end + 2]?.text ?? "")
            if isEmpty { file.set(.nameCheckOff, line: source.line(place), "checkServerIdentity returns nothing") }
        }
        for (place, value) in given("InsecureSkipVerify", code) where value.names("true") {
            file.set(.chainCheckOff, line: source.line(place), "InsecureSkipVerify: true")
        }
    }

    private static func python(_ code: SourceEvaluator, in file: inout PinFile) {
        let source = code.source
        for (place, value) in given("verify", code) where value.names("False") && source.isSymbol("=", at: place + 1) {
            file.set(.chainCheckOff, line: source.line(place), "verify=False")
        }
        for word in ["check_hostname", "assert_hostname"] {
            for (place, value) in given(word, code) where value.names("False") {
                file.set(.nameCheckOff, line: source.line(place), "\(word) = False")
            }
        }
        for place in code.index.places["CERT_NONE"] ?? []
        where source.isSymbol(".", at: place - 1) && !source.isSymbol("==", at: place - 3) {
            file.set(.chainCheckOff, line: source.line(place), "CERT_NONE")
        }
        for place in code.index.places["_create_unverified_context"] ?? [] where source.isSymbol(".", at: place - 1) {
            file.set(.chainCheckOff, line: source.line(place), "_create_unverified_context")
        }
    }

    /// `curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 0L)`.
    private static func curl(_ code: SourceEvaluator, in file: inout PinFile) {
        for (word, kind) in [
            ("CURLOPT_SSL_VERIFYPEER", PinSetting.Kind.chainCheckOff), ("CURLOPT_SSL_VERIFYHOST", .nameCheckOff),
        ] {
            for place in code.index.places[word] ?? []
            where code.source.isSymbol(",", at: place + 1) && !DebugGuard.holds(at: place, code) {
                let value = code.source[place + 2]
                if value?.number == 0 || value?.names("false") == true || value?.names("FALSE") == true {
                    file.set(kind, line: code.source.line(place), "\(word) is 0")
                }
            }
        }
    }
}
