import Facts
import Pins
import TLS

/// What somebody should look into before pinning what was found.
enum PinsWarnings {
    /// Of a server's chain: whoever pins an interceptor's keys locks everybody else out.
    static func chain(
        of pins: DerivedPins, _ path: TrustStore.Path, _ certificates: [Certificate], for host: HostName
    ) -> [DerivedPins.Warning] {
        var out: [DerivedPins.Warning] = []
        let last = certificates.last?.issuer ?? ""
        if !pins.isVerified {
            // OpenSSL names the first fault alone, and one of the chain comes first.
            if path.isForAnotherName || certificates.first?.isFor(host) == false {
                out.append(
                    .init(.nameMismatch, "the certificate is not for \(host): you may have reached another server"))
            }
            if path.lacksIssuer, let end = certificates.last, end.subjectDER != end.issuerDER {
                out.append(
                    .init(
                        .incompleteChain,
                        "the server does not send \(last), and this machine does not know it: either the server leaves "
                            + "out an intermediate, which most apps then miss too, or its root is not public"))
            }
            out.append(
                .init(
                    .notVerified,
                    "the chain does not verify (\(pins.whyNot ?? "no reason is known")): somebody may be intercepting "
                        + "this connection, so compare the pins with ones taken elsewhere before you use them"))
        }
        if !pins.isPublicRoot {
            let root = path.problem == nil ? path.certificates.last?.subject ?? last : last
            out.append(
                .init(
                    .notPublicRoot,
                    "the chain ends in \(root), which is none of this system's roots: a private CA, or an interceptor "
                        + "between you and the server (a company's proxy, antivirus, a debugging tool)"))
        }
        if !pins.isVerified || certificates.count > 1, let stranger = outOfOrder(certificates) {
            out.append(.init(.chainOrder, "\(stranger.subject) does not belong where it stands in the chain"))
        }
        return out
    }

    /// The common name alone is not looked at any more (RFC 9525 §2; Chrome 58, iOS 13).
    ///
    /// - Parameter leaves: certificates of servers.
    static func names(_ leaves: [Certificate]) -> [DerivedPins.Warning] {
        leaves.filter { $0.permitsServers && !$0.hasServerName }.map { leaf in
            .init(
                .noServerName,
                "\(leaf.subject) has no DNS name and no address in its subjectAltName: today's clients refuse it for "
                    + "every server")
        }
    }

    /// Each has to be issued by the next (RFC 5246 §7.4.2; TLS 1.3 lets it pass, and many clients do not).
    private static func outOfOrder(_ chain: [Certificate]) -> Certificate? {
        zip(chain, chain.dropFirst()).first { $0.issuerDER != $1.subjectDER }?.1
    }

    private static let soon = 30.0 * 86_400

    /// - Parameter now: Unix seconds.
    static func dates(_ items: [PinnableItem], now: Double) -> [DerivedPins.Warning] {
        let today = UTCTime(unix: now).rfc3339
        let month = UTCTime(unix: now + soon).rfc3339
        return items.compactMap { item in
            guard let certificate = item.certificate, let subject = item.subject else { return nil }
            let (begin, end) = (certificate.notBefore, certificate.notAfter)
            if end.rfc3339 < today { return .init(.expired, "\(subject) expired on \(end.date)") }
            if begin.rfc3339 > today { return .init(.notYetValid, "\(subject) is not valid before \(begin.date)") }
            guard end.rfc3339 < month else { return nil }
            return .init(
                .expiresSoon,
                "\(subject) expires on \(end.date): pin the key that comes next as well, before that day")
        }
    }

    static func keys(_ items: [PinnableItem]) -> [DerivedPins.Warning] {
        items.compactMap { item in
            let isShort =
                item.key.hasPrefix("RSA-") && (item.key.split(separator: "-").last.flatMap { Int($0) } ?? 0) < 2048
            guard isShort || item.key.hasPrefix("DSA-") else { return nil }
            return .init(.weakKey, "\(item.subject ?? "the key") is \(item.key), which today's clients refuse")
        }
    }
}
