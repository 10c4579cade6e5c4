import Facts

/// Data on a resumed TLS session: no certificate is shown again, so no pin is checked.
enum SessionCacheBypass {
    static func find(_ review: Review) -> [Finding] {
        let withData = review.resumedData
        if !withData.isEmpty {
            return [
                Finding(
                    id: "session-cache-bypass", severity: .error,
                    text:
                        "data was sent on a resumed session (TLS session resumption, by a ticket or a session cache): "
                        + "no certificate is checked there, so no pin is",
                    evidence: withData.map(\.line))
            ]
        }
        // Where sessions may be resumed on purpose, one that carries nothing is what a careful client does.
        guard !review.warmStarts.isEmpty else { return [] }
        return [
            Finding(
                id: "resumed-session", severity: .warning,
                text: "a session was resumed: the process was no cold start, and showed nothing",
                evidence: review.warmStarts.map(\.line))
        ]
    }
}
