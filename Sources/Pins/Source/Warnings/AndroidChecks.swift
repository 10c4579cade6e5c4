/// Checks that Java and Android code takes out: trust managers, verifiers, WebView.
enum AndroidChecks {
    static let words = [
        "onReceivedSslError", "checkServerTrusted", "HostnameVerifier", "hostnameVerifier", "setHostnameVerifier",
        "setDefaultHostnameVerifier", "ALLOW_ALL_HOSTNAME_VERIFIER", "AllowAllHostnameVerifier", "NoopHostnameVerifier",
    ]

    static func read(_ code: SourceEvaluator, in file: inout PinFile) {
        guard code.source.language == .kotlin || code.source.language == .java else { return }
        webView(code, in: &file)
        trustManagers(code, in: &file)
        verifiers(code, in: &file)
    }

    private static func functions(_ name: String, _ code: SourceEvaluator) -> [SourceFunction] {
        (code.index.functions[name] ?? []).filter { !DebugGuard.holds(at: $0.place, code) }
    }

    /// `handler.proceed()` goes on with a certificate that has failed the check.
    private static func webView(_ code: SourceEvaluator, in file: inout PinFile) {
        for function in functions("onReceivedSslError", code) {
            let range = function.range(in: code.source)
            guard
                let proceed = range.first(where: {
                    code.source.isWord("proceed", at: $0) && code.source.isSymbol("(", at: $0 + 1)
                        && !DebugGuard.holds(at: $0, code)
                })
            else { continue }
            let isConditional = range.contains { at in
                at < proceed && ["if", "when", "switch"].contains(code.source.tokens[at].text)
                    && code.source.tokens[at].isIdentifier
            }
            let line = code.source.line(proceed)
            if isConditional {
                file.set(
                    .errorPathOnly, line: line,
                    "onReceivedSslError calls proceed() on a condition: it is called for bad certificates alone")
            } else {
                file.set(.trustsEverything, line: line, "onReceivedSslError calls proceed()")
            }
        }
    }

    /// A body that can throw nothing: empty, or with nothing but a `return` and a line for the log.
    private static func trustManagers(_ code: SourceEvaluator, in file: inout PinFile) {
        for function in functions("checkServerTrusted", code) where accepts(function, code) {
            file.set(.trustsEverything, line: code.source.line(function.place), "checkServerTrusted is empty")
        }
    }

    private static func accepts(_ function: SourceFunction, _ code: SourceEvaluator) -> Bool {
        let source = code.source
        let range = function.range(in: source)
        if !function.hasBlock { return range.count <= 3 && source.isWord("Unit", at: range.lowerBound) }
        let harmless: Set<String> = [
            "Log", "Timber", "println", "System", "Logger", "logger", "log", "return", "super",
        ]
        var at = range.lowerBound + 1
        while at < range.upperBound {
            let token = source.tokens[at]
            let beginsStatement = at == range.lowerBound + 1 || token.startsLine || source.isSymbol(";", at: at - 1)
            if beginsStatement, !token.is(";") {
                guard token.isIdentifier, harmless.contains(token.text), token.text != "super" else { return false }
            }
            at =
                token.kind == .symbol && source.end(of: at) > at && source.end(of: at) < range.upperBound
                ? source.end(of: at) + 1 : at + 1
        }
        return true
    }

    // MARK: names

    private static func verifiers(_ code: SourceEvaluator, in file: inout PinFile) {
        let source = code.source
        for name in ["ALLOW_ALL_HOSTNAME_VERIFIER", "AllowAllHostnameVerifier", "NoopHostnameVerifier"] {
            for place in code.index.places[name] ?? []
            where !isImported(place, source) && !DebugGuard.holds(at: place, code) {
                file.set(.nameCheckOff, line: source.line(place), name)
            }
        }
        if code.index.has("HostnameVerifier") {
            for function in functions("verify", code) where function.parameters.count == 2 {
                guard SourceVerdict.of(function.range(in: source), code) == .always(true) else { continue }
                file.set(.nameCheckOff, line: source.line(function.place), "HostnameVerifier returns true")
            }
        }
        for name in ["HostnameVerifier", "hostnameVerifier", "setHostnameVerifier", "setDefaultHostnameVerifier"] {
            for place in code.index.places[name] ?? [] where !DebugGuard.holds(at: place, code) {
                guard let closure = closure(behind: place, code), SourceVerdict.of(closure, code) == .always(true)
                else { continue }
                file.set(.nameCheckOff, line: source.line(place), "HostnameVerifier returns true")
            }
        }
    }

    private static func isImported(_ place: Int, _ source: SourceText) -> Bool {
        var at = place
        while at > 0, !source.tokens[at].startsLine { at -= 1 }
        return source.isWord("import", at: at)
    }

    /// `HostnameVerifier { _, _ -> true }`, `hostnameVerifier((h, s) -> true)`, `hostnameVerifier = …`.
    private static func closure(behind place: Int, _ code: SourceEvaluator) -> Range<Int>? {
        let source = code.source
        var at = place + 1
        if source.isSymbol("=", at: at) { at += 1 }
        if source.isSymbol("{", at: at), source.language == .kotlin { return source.range(at, source.end(of: at)) }
        guard source.isSymbol("(", at: at) || source.isSymbol("=", at: at - 1) else { return nil }
        let start = source.isSymbol("=", at: at - 1) ? at : at + 1
        if source.isSymbol("{", at: start), source.language == .kotlin {
            return source.range(start, source.end(of: start))
        }
        guard let first = source[start], first.is("(") || first.isIdentifier else { return nil }
        let end = first.is("(") ? source.end(of: start) : start
        guard source.isSymbol("->", at: end + 1), let closure = code.closure(at: start) else { return nil }
        return source.range(
            closure.body, closure.isBlock ? source.end(of: closure.body) : source.statementEnd(from: closure.body))
    }
}
