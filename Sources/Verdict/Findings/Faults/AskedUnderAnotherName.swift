import Facts

/// Data under a forged chain on a connection to this host whose SNI names another one.
///
/// CONNECT says where the bytes go, the certificate was checked for the other name, and so was the pin, if any. Where the
/// requests can be read, and ask another host, it is no business of this one's: a tunnel leads to many.
enum AskedUnderAnotherName {
    static func find(_ host: HostCase) -> [Finding] {
        let (file, review) = (host.file, host.review)
        let fronted = file.trials.flatMap(\.sightings).filter { $0.key != review.host }.flatMap(\.value).filter {
            $0.observation.target?.host == review.host && $0.outcome == .data && $0.asks(review.host)
        }.sorted { $0.line < $1.line }
        guard !fronted.isEmpty else { return [] }
        return [
            Finding(
                id: "asked-under-another-name", severity: .error,
                fact: .leak(.askedUnder(Set(fronted.map(\.host)).sorted())), evidence: fronted.map(\.line))
        ]
    }
}
