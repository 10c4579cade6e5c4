import Facts

/// Data under a forged chain on a connection to this host whose SNI names another one.
///
/// CONNECT says where the bytes go, the certificate was checked for the other name, and so was the pin, if any. Where the
/// requests can be read, and ask another host, it is no business of this one's: a tunnel leads to many.
enum AskedUnderAnotherName {
    static func find(_ host: HostCase) -> [Finding] { forged(host) + byAddress(host) }

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
