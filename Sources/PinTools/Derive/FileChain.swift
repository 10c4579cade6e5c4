import Pins
import TLS

/// Whether the certificates of one file are a chain by themselves.
struct FileChain {
    /// From the leaf upwards, as far as each one's issuer is in the file.
    private(set) var path: [Certificate] = []
    /// nil where they are one chain.
    private(set) var whyNot: String?

    /// More signatures are not checked: a bundle of roots is no chain, and seen to be none long before.
    private static let longest = 16

    /// - Parameters:
    ///   - certificates: at least one.
    ///   - first: where it begins; nil: at the first that is no CA's.
    init(_ certificates: [Certificate], from first: Certificate? = nil) {
        guard let leaf = first ?? certificates.first(where: { !$0.isAuthority }) ?? certificates.first else { return }
        path = [leaf]
        while let last = path.last, path.count < Self.longest, last.subjectDER != last.issuerDER,
            let issuer = certificates.first(where: {
                $0.subjectDER == last.issuerDER && $0.isAuthority && !path.contains($0) && $0.signed(last)
            })
        {
            path.append(issuer)
        }
        if let stranger = certificates.first(where: { !path.contains($0) }) {
            whyNot = "\(stranger.subject) is no part of the chain of \(leaf.subject)"
        } else if certificates.count == 1, leaf.subjectDER != leaf.issuerDER {
            whyNot = "its issuer, \(leaf.issuer), is not in the file"
        } else if leaf.subjectDER == leaf.issuerDER, !leaf.signed(leaf) {
            whyNot = "it names itself as its issuer, and its own key has not signed it"
        }
    }
}
