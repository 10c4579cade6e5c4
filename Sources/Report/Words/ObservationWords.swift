import Facts
import Policy
import Verdict

/// One line of evidence as a person reads it: a heading, and a fact a line below it.
struct EvidenceWords {
    let title: String
    /// `("the app answered", "alert unknown_ca, 12 ms after the connection")`.
    let facts: [(name: String, text: String)]

    init(_ record: EvidenceRecord) {
        switch record {
        case .connection(let seen): self.init(seen.observation)
        case .flow(let flow):
            self.init(
                title: "trial \(flow.trial): a flow past the proxy",
                facts: [
                    ("when", Self.moment(flow.at)),
                    ("what", "\(flow.transport.rawValue) from \(flow.from) to \(flow.to)"),
                    ("names", flow.names.map(\.text).joined(separator: ", ")),
                ])
        case .trialStarted(let start):
            self.init(title: "trial \(start.trial) begins: \(start.attack)", facts: [("when", Self.moment(start.at))])
        case .trialEnded(let end):
            let how =
                end.timedOut
                ? "ended by the gate after its time"
                : end.signal.map { "died by signal \($0)" } ?? end.exit.map { "exit status \($0)" } ?? ""
            self.init(
                title: "trial \(end.trial) ends",
                facts: [("COMMAND", how), ("took", Summary.duration(end.seconds))])
        case .origin(let seen):
            self.init(
                title: "before the first start: the server of \(seen.host)",
                facts: [
                    ("verified", seen.verified ? "yes" : seen.error ?? "no"),
                    ("chain", seen.certificates.map(\.subject).joined(separator: ", ")),
                ])
        case .header, .selfTest, .networkWatched, .runEnded: self.init(title: record.kind, facts: [])
        }
    }

    private init(title: String, facts: [(name: String, text: String)]) {
        self.title = title
        self.facts = facts.filter { !$0.text.isEmpty }
    }

    private init(_ seen: Observation) {
        let isTouched = seen.action == .intercepted || seen.action == .none && seen.attack != nil
        let met =
            seen.action == .intercepted
            ? [seen.attack?.rawValue ?? "a forged chain", seen.variant].compactMap(\.self).joined(separator: "/")
            : seen.action == .none ? "not decided" : "untouched"
        let outcome = isTouched ? Classifier.outcome(of: seen) : nil
        let host = seen.host?.text ?? "no host"
        self.init(
            title: "trial \(seen.trial), \(met): \(outcome.map { "\($0.rawValue), " } ?? "")\(host)",
            facts: [
                ("when", Self.moment(seen.at)), ("the client", Self.client(seen)), ("its hello", Self.hello(seen)),
                ("the genuine server", Self.origin(seen)), ("it was shown", Self.presented(seen)),
                ("TLS with the client", Self.session(seen)), ("it answered", Self.answer(seen)),
                ("it sent", Self.carried(seen)), ("the end", Self.end(seen)), ("error", seen.error ?? ""),
            ])
    }

    private static func moment(_ unix: Double) -> String {
        unix.isFinite && unix > 0 ? UTCTime.microseconds(unix: unix) : ""
    }

    private static func client(_ seen: Observation) -> String {
        let who = [seen.clientName, seen.clientEndpoint?.description].compactMap(\.self).joined(separator: ", ")
        let way = seen.target.map { "asked by \(seen.via.rawValue) for \($0)" } ?? "came by \(seen.via.rawValue)"
        return who.isEmpty ? way : "\(who), \(way)"
    }

    private static func hello(_ seen: Observation) -> String {
        guard let hello = seen.hello else { return "" }
        var words = [hello.sni.map { "names \($0.text)" } ?? "names nobody"]
        if !hello.versions.isEmpty { words.append("TLS " + hello.versions.map(\.description).joined(separator: ", ")) }
        if !hello.alpn.isEmpty { words.append("ALPN " + hello.alpn.joined(separator: ", ")) }
        if !hello.ja4.isEmpty { words.append("JA4 \(hello.ja4)") }
        return words.joined(separator: "; ")
    }

    private static func origin(_ seen: Observation) -> String {
        guard let upstream = seen.upstream else { return "" }
        if let error = upstream.error { return error }
        let session = upstream.negotiated.map(words) ?? ""
        let chain = upstream.chain.isEmpty ? "" : upstream.verified ? "its chain verified" : "its chain did not verify"
        return [upstream.address?.description, session, chain].compactMap { $0?.isEmpty == false ? $0 : nil }
            .joined(separator: "; ")
    }

    private static func presented(_ seen: Observation) -> String {
        guard let leaf = seen.presented.first else { return "" }
        let more = seen.presented.count > 1 ? " and \(seen.presented.count - 1) more" : ""
        let unlike = seen.unlike.isEmpty ? "" : "; unlike the genuine one in \(seen.unlike.joined(separator: ", "))"
        return "the certificate \(leaf)\(more)\(unlike)"
    }

    private static func session(_ seen: Observation) -> String {
        guard let negotiated = seen.negotiated else { return "" }
        return words(negotiated) + (seen.resumed ? "; a resumed session" : "")
    }

    private static func words(_ session: Negotiated) -> String {
        ["TLS \(session.version)", session.cipher, session.alpn].compactMap(\.self).joined(separator: ", ")
    }

    private static func answer(_ seen: Observation) -> String {
        // Its farewell is no answer.
        var words = seen.alerts.filter { $0.from == .client && $0.code != 0 }.map {
            "alert \($0.name) after \(milliseconds($0.ms))"
        }
        if let finished = seen.finishedMS { words.append("its Finished after \(milliseconds(finished))") }
        if let flight = seen.flight, !flight.delivered { words.append("our certificate had not reached it") }
        return words.joined(separator: "; ")
    }

    private static func carried(_ seen: Observation) -> String {
        let shape = seen.first.map { " (\($0.shape))" } ?? ""
        let status = seen.status.map { ", answered \($0)" } ?? ""
        return "\(English.count(seen.bytesUp, "byte")) up\(shape), \(seen.bytesDown) down\(status)"
    }

    private static func end(_ seen: Observation) -> String {
        guard let close = seen.close else { return "" }
        return "by the \(close.by.rawValue) (\(close.how.rawValue)) after \(milliseconds(close.ms))"
    }

    private static func milliseconds(_ ms: Double) -> String {
        ms.isFinite && abs(ms) < 1e9 ? "\(Double(Int((ms * 10).rounded())) / 10) ms" : "some time"
    }
}
