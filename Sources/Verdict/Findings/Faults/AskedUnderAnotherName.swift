import Facts

/// Data under a forged chain on a connection to this host whose SNI names another one.
///
/// CONNECT says where the bytes go, the certificate was checked for the other name, and so was the pin, if any. Where the
/// requests can be read, and ask another host, it is no business of this one's: a tunnel leads to many.
enum AskedUnderAnotherName {
    static func find(_ host: HostCase) -> [Finding] { forged(host) + forOthers(host) + byAddress(host) }

    /// A suspicion and no more: at an address of a delivery network lives whoever is a customer there.
    private static func byAddress(_ host: HostCase) -> [Finding] {
        let seen = host.file.wentByAddressUnderAnotherName(host.host)
        guard !seen.isEmpty else { return [] }
        return [
            Finding(
                id: "asked-under-another-name", severity: .warning,
                fact: .leak(.addressUnder(Set(seen.map(\.host)).sorted())), evidence: seen.map(\.line))
        ]
    }

    /// Under this host's own name, in requests that are all for hosts which nobody attacks. Whoever took the certificate has no pin
    /// for it, or does not look at it, and what such requests say of whom they are for is up to them.
    private static func forOthers(_ host: HostCase) -> [Finding] {
        let seen = host.review.sightings.filter { $0.outcome == .data && $0.isForOthers && !$0.isUnderLentKey }
        guard !seen.isEmpty else { return [] }
        return [
            Finding(
                id: "asked-under-another-name", severity: .error,
                fact: .leak(.othersAsked(Set(seen.flatMap(\.observation.asked)).sorted())), evidence: seen.map(\.line))
        ]
    }

    private static func forged(_ host: HostCase) -> [Finding] {
        let (file, review) = (host.file, host.review)
        let fronted = file.astray.filter { $0.key.host == review.host }.flatMap(\.value).filter {
            $0.host != review.host && $0.outcome == .data && $0.asks(review.host)
        }.sorted { $0.line < $1.line }
        guard !fronted.isEmpty else { return [] }
        return [
            Finding(
                id: "asked-under-another-name", severity: .error,
                fact: .leak(.askedUnder(Set(fronted.map(\.host)).sorted())), evidence: fronted.map(\.line))
        ]
    }
}
