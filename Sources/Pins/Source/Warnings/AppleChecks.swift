/// Apple's authentication challenges that are answered without a look at the chain.
enum AppleChecks {
    static let words = [
        "useCredential", "NSURLSessionAuthChallengeUseCredential", "NSURLErrorFailingURLPeerTrustErrorKey",
        "continueWithoutCredentialForAuthenticationChallenge",
    ]

    static func read(_ code: SourceEvaluator, in file: inout PinFile) {
        let source = code.source
        guard source.language == .swift || source.language == .objectiveC else { return }
        var seen: Set<Int> = []
        for name in ["useCredential", "NSURLSessionAuthChallengeUseCredential"] {
            for place in code.index.places[name] ?? [] {
                guard let block = challenge(around: place, source), seen.insert(block).inserted,
                    !DebugGuard.holds(at: place, code)
                else { continue }
                judge(block, line: source.line(place), code, in: &file)
            }
        }
        for place in code.index.places["NSURLErrorFailingURLPeerTrustErrorKey"] ?? []
        where !DebugGuard.holds(at: place, code) {
            file.set(
                .errorPathOnly, line: source.line(place),
                "NSURLErrorFailingURLPeerTrustErrorKey is there after a failed check alone")
        }
    }

    /// The outermost block around it that is no type: the delegate's method, or a closure that is given as one.
    private static func challenge(around place: Int, _ source: SourceText) -> Int? {
        var blocks: [Int] = []
        var at = source.block(around: place)
        while let open = at {
            blocks.append(open)
            at = source.block(around: open)
        }
        // The method's head says what it is, in Swift and in Objective-C.
        return blocks.last { open in
            source.range(open - 80, open).reversed().prefix { !source.tokens[$0].is("}") && !source.tokens[$0].is(";") }
                .contains {
                    [
                        "challenge", "didReceive", "didReceiveChallenge", "taskDidReceiveChallenge",
                        "sessionDidReceiveChallenge",
                    ].contains(source.tokens[$0].text)
                }
        }
    }

    private static func judge(_ block: Int, line: Int, _ code: SourceEvaluator, in file: inout PinFile) {
        let source = code.source
        var words: Set<String> = []
        gather(source.range(block, source.end(of: block)), code, into: &words, depth: 0)
        // Client certificates and passwords are answers of other kinds.
        guard words.contains("serverTrust") || words.contains("credentialForTrust") || words.contains("trust") else {
            return
        }
        let evaluates = words.contains { word in
            let lower = word.lowercased()
            return lower.contains("evaluat") || lower.contains("validat") || lower.contains("verif")
                || lower.contains("performdefaulthandling")
                    && lower.hasPrefix("sec")
        }
        guard !evaluates else { return }
        let compares = words.contains { word in
            [
                "SecTrustGetCertificateAtIndex", "SecTrustCopyCertificateChain", "SecTrustCopyKey",
                "SecTrustCopyPublicKey", "SecCertificateCopyData", "SecCertificateCopyKey",
            ].contains(word)
                || word.lowercased().contains("pin") || word.lowercased().contains("sha256")
        }
        if compares {
            file.set(
                .chainCheckOff, line: line,
                "a server's trust is used without being evaluated: the comparison alone is left")
        } else {
            file.set(.trustsEverything, line: line, "a server's trust is used without being evaluated")
        }
    }

    /// The words of a block, and of the functions of this file that it calls.
    private static func gather(_ range: Range<Int>, _ code: SourceEvaluator, into words: inout Set<String>, depth: Int)
    {
        for at in range
        where code.source.tokens.indices.contains(at) && code.source.tokens[at].isIdentifier && code.spend() {
            let word = code.source.tokens[at].text
            guard words.insert(word).inserted, depth < 3 else { continue }
            for function in code.index.functions[word] ?? [] where !function.range(in: code.source).contains(at) {
                gather(function.range(in: code.source), code, into: &words, depth: depth + 1)
            }
        }
    }
}
