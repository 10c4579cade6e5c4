/// Compiler conditions: what `#if 0` takes out, and what only debug builds have.
enum SourceConditions {
    private struct Open {
        /// What the branch that is being read says of a release build: it is in it, is not, or is never compiled.
        var state: State
        /// Of the branches before: one was surely compiled in a release build.
        var wasTaken: Bool
    }
    private enum State { case kept, debugOnly, gone }

    /// The tokens without the lines of conditions and without what is never compiled.
    static func applied(to tokens: [SourceToken], of language: SourceLanguage) -> [SourceToken] {
        guard language.hasPreprocessor, tokens.contains(where: { $0.is("#") }) else { return tokens }
        var out: [SourceToken] = []
        out.reserveCapacity(tokens.count)
        var open: [Open] = []
        var gone = 0
        var debugOnly = 0
        func count(_ state: State, _ step: Int) {
            if state == .gone { gone += step }
            if state == .debugOnly { debugOnly += step }
        }
        var at = 0
        while at < tokens.count {
            guard tokens[at].is("#"), tokens[at].startsLine, at + 1 < tokens.count, tokens[at + 1].isIdentifier,
                ["if", "ifdef", "ifndef", "elseif", "elif", "else", "endif"].contains(tokens[at + 1].text)
            else {
                if gone == 0 {
                    var token = tokens[at]
                    token.isDebugOnly = debugOnly > 0
                    out.append(token)
                }
                at += 1
                continue
            }
            let directive = tokens[at + 1].text
            var end = at + 2
            while end < tokens.count, !tokens[end].startsLine { end += 1 }
            let condition = tokens[(at + 2)..<end].map(\.text).joined()
            at = end
            switch directive {
            case "if", "ifdef", "ifndef":
                let state = state(condition, negated: directive == "ifndef")
                open.append(Open(state: state, wasTaken: state == .kept && isOfRelease(condition, directive)))
                count(state, 1)
            case "endif":
                if let last = open.popLast() { count(last.state, -1) }
            default:
                guard var last = open.popLast() else { continue }
                count(last.state, -1)
                let state: State =
                    directive == "else" ? (last.wasTaken ? .debugOnly : .kept) : state(condition, negated: false)
                last.wasTaken = last.wasTaken || state == .kept && isOfRelease(condition, "if")
                last.state = state
                open.append(last)
                count(state, 1)
            }
        }
        return out
    }

    private static let debugNames: Set<String> = [
        "DEBUG", "(DEBUG)", "DEBUG==1", "defined(DEBUG)", "targetEnvironment(simulator)",
    ]

    private static func state(_ condition: String, negated: Bool) -> State {
        if !negated, condition == "0" || condition == "false" || condition == "NO" { return .gone }
        return debugNames.contains(condition) && !negated ? .debugOnly : .kept
    }

    /// `#if !DEBUG`: its `#else` is of debug builds alone.
    private static func isOfRelease(_ condition: String, _ directive: String) -> Bool {
        directive == "ifndef"
            ? debugNames.contains(condition)
            : condition == "RELEASE" || condition.hasPrefix("!") && debugNames.contains(String(condition.dropFirst()))
    }
}
