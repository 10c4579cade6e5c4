import Facts

/// Some pins stand back for a CA that was installed on the device.
///
/// From here they look like no pins at all.
enum LocalAnchors {
    static func find(_ host: HostCase, _ verdict: HostVerdict) -> [Finding] {
        guard verdict.verdict == .notPinned, verdict.subtype == .plain else { return [] }
        return [
            Finding(
                id: "local-anchors", severity: .note, fact: .app(.localAnchors(hasPins: !host.rule.pins.isEmpty)),
                evidence: host.review.witnesses.map(\.line))
        ]
    }
}
