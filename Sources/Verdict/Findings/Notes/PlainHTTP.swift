import Facts

/// A host that has to refuse is asked for without TLS as well, attacked or not.
enum PlainHTTP {
    static func find(_ host: HostCase, _ verdict: HostVerdict) -> [Finding] {
        guard host.review.cleartextFallback.isEmpty else { return [] }
        let plain = host.review.sightings.filter { $0.wentInTheClear && !$0.isUnreadTunnel }
        guard !plain.isEmpty else { return [] }
        return [Finding(id: "plain-http", severity: .warning, fact: .app(.plainHTTP), evidence: plain.map(\.line))]
    }
}
