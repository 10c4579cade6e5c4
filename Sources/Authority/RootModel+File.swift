import TLS

extension RootModel {
    /// The root above a genuine chain in a PEM file, the server's certificate first as a server shows it; the root itself
    /// may be there or not.
    ///
    /// A file without a chain up to a CA is an error that names it: the root's name has to be read from somewhere.
    package static func read(path: String) throws(CAError) -> RootModel {
        let chain = try Certificate.readAll(path: path)
        for (index, pair) in zip(chain, chain.dropFirst()).enumerated() where pair.0.issuerDER != pair.1.subjectDER {
            throw CAError(
                .mismatch,
                "\(path): certificate \(index + 1), \(pair.0.subject), was not issued by the one after it",
                hint: "give the chain as the server shows it: its own certificate first, then each issuer")
        }
        // Never empty: readAll sees to that.
        guard let topmost = chain.last else {
            throw CAError(.unusable, "\(path): there is no certificate in this file")
        }
        guard chain.count > 1 || topmost.isAuthority || topmost.subjectDER == topmost.issuerDER else {
            throw CAError(
                .mismatch, "\(path): \(topmost.subject) stands alone, and is no CA: its root's name is not in it",
                hint: "give the whole chain: openssl s_client -connect HOST:443 -servername HOST -showcerts")
        }
        guard let model = RootModel(above: topmost) else {
            throw CAError(
                .unusable,
                "\(path): the root above \(topmost.subject) has no name, or a key that no CA is made with here",
                hint: "make a CA without --like")
        }
        return model
    }
}
