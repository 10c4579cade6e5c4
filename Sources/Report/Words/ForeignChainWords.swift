import Facts
import Verdict

/// Of a server that has none of the pinned keys: what it presents, and what is pinned.
enum ForeignChainWords {
    static func text(_ chain: ForeignChain) -> String {
        let cause =
            switch chain.cause {
            case .interceptor(let name?):
                "the origin shown to us carries none of the pinned keys: \(name) intercepts the connection already"
            case .interceptor(nil):
                "the origin shown to us carries none of the pinned keys, and its chain leads to no public root: another "
                    + "interceptor is on the way, or the server leaves out an intermediate"
            case .deadPins:
                "the server carries none of the pinned keys, under a root that is trusted here: the pins are dead, and the app "
                    + "locks its users out, or the profile's pins are not the app's, or that root is an interceptor's"
            case .unknown:
                "the origin shown to us carries none of the pinned keys: the connection is already intercepted, "
                    + "or the profile's pins are wrong"
            }
        return ([cause] + lines(chain)).joined(separator: "; ")
    }

    /// `presented: CN=api.example.com (sha256/…, until 2027-01-01), issued by …`, and `pinned: sha256/…`.
    static func lines(_ chain: ForeignChain) -> [String] {
        let presented = chain.presented.map { certificate in
            let pin = Hex.decoded(certificate.spkiSHA256).map { "sha256/\(Base64.encode($0))" } ?? "no key"
            return
                "\(Printable.excerpt(certificate.subject, limit: 80)) (\(pin), until \(certificate.notAfter.prefix(10)))"
        }
        let end = chain.presented.last.map { " under \(Printable.excerpt($0.issuer, limit: 80))" } ?? ""
        return (presented.isEmpty ? [] : ["presented: " + presented.joined(separator: ", ") + end])
            + ["pinned: " + chain.pinned.joined(separator: ", ")]
    }
}
