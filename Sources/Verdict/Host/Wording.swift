import Facts
import Policy

/// The words of a verdict: what was seen, so that it can be checked against the evidence.
enum Wording {
    /// `bad_certificate`, `closed unused after the handshake`, …: every way in which these refused.
    static func ways(_ refusals: [Sighting]) -> String {
        var ways: [String] = []
        for sighting in refusals {
            let way: String
            switch sighting.outcome {
            case .alert:
                way = Classifier.fatalAlert(of: sighting.observation)?.name ?? "an alert that only it could read"
            case .silent: way = "closed in the handshake without an alert"
            case .post: way = "closed after the handshake without a byte"
            default: continue
            }
            if !ways.contains(way) { ways.append(way) }
        }
        return ways.joined(separator: ", ")
    }

    /// `sent 96 bytes (http/1 GET) under trusted-ca and cloned-identity/untrusted`: an attack's forms by name where it
    /// was not all of those that it met.
    static func witness(_ witnesses: [Sighting], onlyPreface: Bool, among meetings: [Meeting] = []) -> String {
        let attacks = English.some(
            AttackCatalogue.inOrder(Set(witnesses.map(\.attack))).flatMap { attack in
                let fell = Set(witnesses.filter { $0.attack == attack }.map(\.variant))
                let met = Set(meetings.filter { $0.attack == attack && $0.wasAttempted }.map(\.variant))
                guard !met.isSubset(of: fell) else { return [attack.rawValue] }
                return fell.map { Requirement(attack: attack, variant: $0) }.sorted().map(\.fullName)
            })
        if onlyPreface { return "sent its HTTP/2 preface under \(attacks) before it closed" }
        let best = witnesses.first { $0.carrier == nil && !$0.observation.prefaceOnly } ?? witnesses.first
        // More than the preface came, and it is read no further.
        let shape = best?.observation.first.map { " (\($0.shape == "h2 preface" ? "h2 request" : $0.shape))" } ?? ""
        let way = best?.carrier.map { ", over a connection that was opened to \($0.text)" } ?? ""
        return "sent \(English.count(best?.observation.bytesUp ?? 0, "byte"))\(shape) under \(attacks)" + way
    }

    static func lacking(_ missing: Missing, _ review: Review) -> String {
        switch missing {
        case .trustControl: "nothing shows that it trusts the CA at this host"
        case .coldStarts:
            "only \(review.coldStarts.count) of the \(review.coldStartsAsked) cold starts asked for showed a refusal that counts"
        case .passthroughBefore: "it carried no genuine traffic before the attacks"
        case .passthroughBetween: "it carried no genuine traffic in a passthrough between the attacks"
        case .passthroughAfter: "it carried no genuine traffic after the attacks"
        case .sameStackPassthrough: "a TLS stack that refused never carried genuine traffic: it may be an unused socket"
        case .idleConnections: "connections were left open without a byte, which is no refusal"
        case .consistentRefusal: "an RST without an alert, not in every cold start, may have been a crash"
        case .attack("cleartext-fallback"): "it went on in plain HTTP while it was attacked"
        case .attack(Attack.laterConnection.id) where review.places.leftOut(in: review) != nil:
            "untouched it opens \(review.places.lastUsed) connections, and not each of them was attacked"
        case .attack(let id): "\(id) was never seen refused by every TLS stack that carries its traffic"
        case .attackedAlone: "it closed unused only after another host had refused: it has to be attacked alone"
        case .hostIdentity: "neither SNI nor CONNECT name it on what was refused"
        case .finding("session-cache-bypass"): "it sent data on a resumed session, where no certificate is checked"
        case .run: "the run did not come to its end"
        case .finding(NetworkFindings.quic): "QUIC went past the proxy, to it or to where nobody can tell"
        case .finding(NetworkFindings.direct): "it was also reached directly, past the proxy"
        case .finding(NetworkFindings.incomplete): "the network was not watched without gaps"
        case .finding(let id): "there is the finding \(id)"
        }
    }
}
