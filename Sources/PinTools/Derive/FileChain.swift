import Pins
import TLS

/// Whether the certificates of one file are a chain by themselves.
///
/// They are where each has issued the one below it, none is left over, and the last one is self-signed or issued by one of
/// the system's roots: with fewer nobody can verify the first. Their order in the file does not count.
struct FileChain {
    /// From the leaf upwards, as far as each one's issuer is in the file.
    private(set) var path: [Certificate] = []
    /// Of the file's, and on no way from the first one up.
    private let stranger: Certificate?

    /// More signatures are not checked: a bundle of roots is no chain, and seen to be none long before.
    private static let longest = 16

    /// - Parameters:
    ///   - certificates: at least one.
    ///   - first: where it begins; nil: at the first that is no CA's.
    init(_ certificates: [Certificate], from first: Certificate? = nil) {
        guard let leaf = first ?? certificates.first(where: { !$0.isAuthority }) ?? certificates.first else {
            stranger = nil
            return
        }
        var path = [leaf]
        while let last = path.last, path.count < Self.longest, last.subjectDER != last.issuerDER,
            let issuer = certificates.first(where: {
                $0.subjectDER == last.issuerDER && $0.isAuthority && !path.contains($0) && $0.signed(last)
            })
        {
            path.append(issuer)
        }
        stranger = certificates.first { !path.contains($0) }
        self.path = path
    }

    /// nil where they are one chain.
    ///
    /// - Parameter endsPublic: one of the system's roots is, or has issued, its last certificate.
    func whyNot(endsPublic: Bool) -> String? {
        guard let leaf = path.first, let end = path.last else { return "there is no certificate in it" }
        if let stranger { return "\(stranger.subject) is no part of the chain of \(leaf.subject)" }
        if endsPublic { return nil }
        guard end.subjectDER == end.issuerDER else {
            return "the issuer of \(end.subject), \(end.issuer), is neither in the file nor one of this system's roots"
        }
        return end.signed(end) ? nil : "\(end.subject) names itself as its issuer, and its own key has not signed it"
    }
}
