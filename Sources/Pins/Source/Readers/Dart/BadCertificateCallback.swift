import Facts

/// What `badCertificateCallback` does.
///
/// dart:io asks it about a chain that has already failed, and never about one that is good.
enum BadCertificateCallback {
    static func read(_ code: SourceEvaluator, in file: inout PinFile) {
        let source = code.source
        for place in code.index.places["badCertificateCallback"] ?? [] where !DebugGuard.holds(at: place, code) {
            guard source.isSymbol("=", at: place + 1) || source.isSymbol(":", at: place + 1) else { continue }
            let line = source.line(place)
            guard let body = body(at: place + 2, code) else { continue }
            switch SourceVerdict.of(body.range, code) {
            case .always(true): file.set(.trustsEverything, line: line, "badCertificateCallback returns true")
            case .always(false): break
            case .depends:
                let words = Set(body.range.map { source.tokens[$0] }.filter(\.isIdentifier).map(\.text))
                if words.contains("kDebugMode") && !words.contains("kReleaseMode") && words.count < 3 { continue }
                if let certificate = body.certificate, !words.contains(certificate),
                    words.contains(where: { body.parameters.contains($0) })
                {
                    let hosts = body.range.compactMap { source.constant(at: $0) }.compactMap { HostName($0) }.filter {
                        $0.text.contains(".")
                    }
                    file.set(
                        .trustsEverything, host: hosts.count == 1 ? hosts[0].text : nil, line: line,
                        "badCertificateCallback looks at the host alone")
                } else if let certificate = body.certificate, words.contains(certificate),
                    FlutterReader.trustsNoRoots(code), !code.index.has("setTrustedCertificates")
                {
                    // Every chain is bad then, and the app alone decides.
                    DartPinCheck(
                        code: code, body: body.range, certificate: certificate, parameters: body.parameters,
                        name: "badCertificateCallback", place: place, part: .any
                    ).read(in: &file, host: FlutterReader.baseHost(code))
                } else {
                    file.set(.errorPathOnly, line: line, "badCertificateCallback is asked about bad certificates alone")
                }
            }
        }
    }

    static func body(at start: Int, _ code: SourceEvaluator) -> (
        range: Range<Int>, certificate: String?, parameters: Set<String>
    )? {
        let source = code.source
        var start = start
        // `((cert, host, port) => true)`.
        while source.isSymbol("(", at: start), source.isSymbol("(", at: start + 1) { start += 1 }
        if source.isSymbol("(", at: start), let closure = code.closure(at: start) {
            let end = closure.isBlock ? source.end(of: closure.body) : source.statementEnd(from: closure.body)
            let names = closure.parameters.joined()
            return (
                source.range(closure.body, end), names.first, Set(names.dropFirst())
            )
        }
        guard let name = source[start], name.isIdentifier, !name.names("null") else { return nil }
        if let function = code.index.functions[name.text]?.first {
            let names = function.parameters.map(\.name)
            let range = function.range(in: source)
            return (range, names.first, Set(names.dropFirst()))
        }
        return (source.range(start, start + 1), nil, [])
    }
}
