import Facts
import Policy
import Verdict

extension Finding {
    /// What was found, in one sentence for a person.
    package var text: String { FindingText.text(of: fact) }
}

/// The words of findings; a sentence for each fact.
enum FindingText {
    static func text(of fact: FindingFact) -> String {
        switch fact {
        case .leak(let fact): text(of: fact)
        case .app(let fact): text(of: fact)
        case .proof(let fact): text(of: fact)
        case .run(let fact): text(of: fact)
        }
    }

    private static func text(of fact: FindingFact.Leak) -> String {
        switch fact {
        case .dataOnResumedSession:
            "data was sent on a resumed session (TLS session resumption, by a ticket or a session cache): "
                + "no certificate is checked there, so no pin is"
        case .resumedSession: "a session was resumed: the process was no cold start, and showed nothing"
        case .cleartextWhileAttacked:
            "while attacked it was asked for in cleartext (plain HTTP or no TLS), which it is not, or less, untouched: "
                + "a fallback that leaks what the pin protects"
        case .cleartextWithoutTLS:
            "where TLS did not come about it went on without, on the same connection: whoever stands in between has only to refuse TLS"
        case .dataToSibling(let sibling):
            "once it had refused, data went to \(name(sibling)), which no passthrough shows: "
                + "a fallback to an unpinned sibling leaks what the pin protects"
        case .pinTookOtherHost: "the pin accepted a certificate for another host, and nobody compared the names"
        case .pinFitsOtherHost(let alert):
            "the pin fits another host's genuine certificate of the same CA (it answered \(alert), and not a word "
                + "about the certificate): it is a CA's, and anybody can get a certificate there. An app that checks the "
                + "name after the handshake (OkHttp, HttpsURLConnection) looks the same here as one that never does: if "
                + "this one never does, it takes every server of that CA for the host. A chain with its key "
                + "(other_host) shows which it is"
        case .askedUnder(let names):
            "data was sent to it under a forged certificate for another name: CONNECT named it, the SNI \(some(names))"
        case .othersAsked(let names):
            "the forged certificate was accepted, and data sent under it, in requests that name \(some(names)): a client "
                + "without the pin opens connections to it, and whoever stands in between reads what goes over them"
        case .addressUnder(let names):
            "while it was attacked, the client asked for an address at which only this host is known to live, and sent data "
                + "there under the name \(some(names)), which nobody examines: where that is served by this host's server, "
                + "the pin does not cover it. Name it under hosts to have it examined"
        case .pinsServedBy(let hosts):
            "pins of this host are in the answers of \(some(hosts)), which the app asks without a pin: if it takes its pins "
                + "from there, whoever stands between the app and that host can put in the pin of a key of his own"
        case .askedOver(let carriers, let host):
            "the connection was opened to \(some(carriers)), and the request for \(host.text) went over it"
        case .unreadTunnels(let count):
            "\(English.count(count, "tunnel")) to it began with nothing that is known as TLS or HTTP, "
                + "and no ClientHello was found later: what went through was not attacked"
        case .lentKeyRefused(let isListed):
            isListed
                ? "the lent key was refused under the trusted CA, and the profile lists it among the pins: either "
                    + "the app does not trust the CA, or its pins are not those of the profile, or it refuses for "
                    + "another reason than its pins"
                : "the lent key was refused under the trusted CA: either the app does not trust the CA, or this key is "
                    + "not among its pins, or it pins a CA or a whole certificate"
        case .wentPast(let flows): NetworkWords.text(flows)
        case .networkGaps(let gaps): "the network was not watched without gaps: " + NetworkWords.text(gaps)
        case .networkWatched:
            "the network of the machine that ran the gate was watched: no QUIC and no direct TCP "
                + "connection to this host, at the addresses and ports that are known of it, was seen on it"
        }
    }

    private static func text(of fact: FindingFact.App) -> String {
        switch fact {
        case .updateHostPinned:
            "the update host is pinned itself: an app whose pins no longer fit cannot be told to update"
        case .updateHostBlocked(let wasAsked):
            "the update host is blocked: "
                + (wasAsked
                    ? "it was refused while other hosts were attacked" : "it was not asked for once others had refused")
                + ", so an app whose pins no longer fit cannot be told to update"
        case .neverRefused(let pattern):
            (pattern.map { "\($0) declares that it refuses" } ?? "it is declared to refuse")
                + ", and trusted-ca was never once refused: no pin held here"
        case .retryStorm(let storm):
            "a retry storm: refused under \(storm.attack), it was connected to \(storm.connections) times within "
                + "\(storm.seconds) s (\(storm.usual) untouched)"
        case .noRecovery(let passthroughs):
            "no recovery: it carried data before the attacks, and "
                + (passthroughs.map { "none in \(English.count($0, "passthrough")) between them" }
                    ?? "none in the last passthrough")
                + ": the app may remember a refusal (a back-off, a lock-out)"
        case .noPinReport(let host, let starts):
            "no report of the refusal: \(host) was sent nothing in \(English.count(starts, "cold start")) "
                + "that refused trusted-ca"
        case .weakSuites(let suites):
            "its ClientHello offers cipher suites without encryption or authentication, or of export strength: "
                + English.some(suites)
        case .plainHTTP: "it is also asked for by plain HTTP, which no pin protects"
        case .reachabilityProbe:
            "it was asked in the clear whether there is a network (a well-known address, without data): that "
                + "is no fallback, and leaks nothing"
        case .nameDiffers: "connections asked the proxy for another name than their SNI; they were judged by the SNI"
        case .localAnchors(let hasPins):
            (hasPins ? "the profile lists pins for this host, and they did not hold: " : "")
                + "some pins stand back for a CA that was installed on the device, and look from here like no pins at all: "
                + "those of Chrome and Cronet (unless that is switched off), debug-overrides and overridePins on Android, "
                + "TrustKit on macOS. Against a CA of the public they may hold, which this test cannot show"
        case .pinCheckedLate: "the pin is checked too late: data left before the connection was refused"
        case .noOccasion(let attacks, let lacking):
            "no occasion for \(list(attacks)): the client \(English.list(lacking.map(words)))"
        case .refusedOnce(let trials): "it accepted, but refused in \(English.count(trials, "other trial"))"
        }
    }

    private static func name(_ sibling: FindingFact.Sibling) -> String {
        if sibling.host.isIP { return "the address \(sibling.host)" }
        let kind = sibling.sharesDomain ? "sibling" : "host"
        return sibling.isDeclared ? "the \(kind) \(sibling.host)" : "the undeclared \(kind) \(sibling.host)"
    }

    private static func words(_ lack: FindingFact.Lack) -> String {
        switch lack {
        case .lateConnection: "made no connection to the host that late"
        case .retryAfterOutage: "did not try again after an outage"
        case .furtherConnection: "made no further connection to the host"
        case .reconnection: "made no other connection when one that had worked was closed"
        case .resumption: "resumed no session"
        case .redirect: "followed no redirect"
        case .offer: "does not offer what this form of it needs"
        case .earlierStart: "asked for nothing when it began with what an earlier start had left"
        case .olderOrigin: "offers nothing newer than the origin speaks itself"
        }
    }

    static func some(_ hosts: [HostName]) -> String { English.some(hosts.map(\.text)) }
    static func list(_ attacks: [AttackID]) -> String { English.list(attacks.map(\.rawValue)) }
}
