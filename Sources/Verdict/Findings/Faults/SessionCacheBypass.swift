import Facts

/// Data on a resumed TLS session: no certificate is shown again, so no pin is checked.
enum SessionCacheBypass {
    static func find(_ host: HostCase) -> [Finding] {
        let review = host.review
        let withData = review.resumedData
        if !withData.isEmpty {
            return [
                Finding(
                    id: "session-cache-bypass", severity: .error, fact: .leak(.dataOnResumedSession),
                    evidence: withData.map(\.line))
            ]
        }
        // Where sessions may be resumed on purpose, one that carries nothing is what a careful client does.
        guard !review.warmStarts.isEmpty else { return [] }
        return [
            Finding(
                id: "resumed-session", severity: .warning, fact: .leak(.resumedSession),
                evidence: review.warmStarts.map(\.line))
        ]
    }
}
