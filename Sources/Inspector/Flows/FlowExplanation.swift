import Facts
import Filters
import Flows
import Store

/// Why a flow is as it is.
///
/// What happened, what stands beside it in the record, and what to do.
package struct FlowExplanation: Hashable, Sendable {
    package var id: Int64
    /// One sentence.
    package var what: String
    /// One thing that can be followed; nil where nothing is wrong.
    package var todo: String?
    /// What was seen, a line each.
    package var facts: [String] = []
    /// What else was recorded of this host; nil where it has none.
    package var host: Host?

    package struct Host: Hashable, Sendable {
        package var name: String
        package var flows: Int
        package var failed: Int
        package var tunnels: Int
        /// An exchange whose answer could be read: the newest.
        package var lastRead: Int64?
        /// The newest failure that is another one.
        package var lastFailed: Int64?
    }

    package init(_ flow: Flow, in store: FlowStore) throws {
        id = flow.id
        let name = flow.server.host ?? flow.tls?.sni
        (what, todo) = Self.words(flow, name ?? flow.server.address ?? "the host")
        facts = Self.facts(flow)
        guard let name else { return }
        let own = FilterNode.term(.value(.host, [FilterPattern(name)]))
        func newest(_ terms: FilterNode...) throws -> Int64? {
            let filter = Filter(.all([own] + terms))
            return try store.flows(matching: filter, limit: 2, order: .newestFirst).flows.first { $0.id != flow.id }?.id
        }
        func count(_ trait: FilterTrait) throws -> Int {
            try store.count(matching: Filter(.all([own, .term(.trait(trait))])))
        }
        let failed = FilterNode.term(.trait(.failed))
        let host = Host(
            name: name, flows: try store.count(matching: Filter(own)), failed: try count(.failed),
            tunnels: try count(.tunnel), lastRead: try newest(.term(.trait(.http)), .not(failed)),
            lastFailed: try newest(failed))
        self.host = host
        facts.append(
            "\(name): \(English.count(host.flows, "flow")) recorded, \(host.failed) failed, \(host.tunnels) let pass undecrypted"
        )
        if flow.failure?.id == .clientRefusedCertificate { try noteTrust(of: flow, name, in: store) }
        if flow.failure?.id == .clientRefusedCertificate, host.lastRead != nil {
            facts.append(
                "other connections to \(name) were read: the CA is trusted by whoever made them, so that this client, or this "
                    + "part of the app, has trust or pins of its own")
        }
    }

    /// Whether the same client was read elsewhere: then it knows the CA, and the reason is this host's alone.
    private mutating func noteTrust(of flow: Flow, _ host: String, in store: FlowStore) throws {
        guard let client = flow.client.name ?? flow.client.address.map(Self.withoutPort) else { return }
        let terms: [FilterNode] = [
            .term(.value(.client, [FilterPattern(client)])), .term(.value(.scheme, [FilterPattern("https")])),
            .term(.trait(.http)), .not(.term(.trait(.failed))),
        ]
        let here = FilterNode.term(.value(.host, [FilterPattern(host)]))
        let filter = Filter(.all(terms + [.not(here)]))
        let read = try store.flows(matching: filter, limit: 200, order: .newestFirst).flows
        let hosts = Set(read.compactMap(\.server.host)).sorted()
        guard !hosts.isEmpty else {
            let own = Filter(.all(terms + [here]))
            let isReadHere = try !store.flows(matching: own, limit: 1, order: .newestFirst).flows.isEmpty
            facts.append(
                isReadHere
                    ? "nothing of \(client) was read over TLS at any other host"
                    : "nothing else of \(client) was read over TLS: it may not trust the CA at all")
            return
        }
        let names = English.list(hosts.prefix(3).map { $0 }) + (hosts.count > 3 ? " and others" : "")
        if flow.client.name == nil, HostName(client)?.address?.isLoopback == true {
            facts.append(
                "programs of this machine were read on \(names): whether this one was among them is not known, as they share an "
                    + "address; give the app a name under `clients` to tell it from others")
            return
        }
        facts.append(
            "\(client) was read on \(names): it trusts the CA there, so that a pin of \(host), or trust that this part of "
                + "the app has of its own, is likelier than a CA that is missing")
        todo =
            "disable the pin of \(host) in this build, or let the host through: `expect: tunnel` in the profile; "
            + "`pinproof gate` proves whether it is a pin"
    }

    /// Of `10.0.0.7:51000`, `[2001:db8::1]:443`.
    private static func withoutPort(_ address: String) -> String { Endpoint(address)?.host.text ?? address }

    private static func words(_ flow: Flow, _ host: String) -> (what: String, todo: String?) {
        if let failure = flow.failure { return (failure.text, failure.hint) }
        if let undecodable = flow.undecodable {
            return (
                "what was said could not be read from byte \(undecodable.at): \(undecodable.why)",
                "look at its bytes: pinproof flows show \(flow.id) --body response --raw"
            )
        }
        switch flow.kind {
        case .tunnel:
            return (
                "the connection to \(host) was passed on as it is: the profile or a decision by hand lets the host pass, or no "
                    + "TLS was found in it",
                "to decrypt it, take `expect: tunnel` out of the profile, or intercept the host: on the page, "
                    + "by `POST /api/hosts`, or an agent's set_host"
            )
        case .raw:
            return (
                "the bytes were decrypted, and no protocol that pinproof reads was found in them",
                "look at them: pinproof flows show \(flow.id) --body response"
            )
        case .failure: return ("the connection to \(host) came to nothing, and no reason is known", nil)
        case .http, .websocket: break
        }
        switch (flow.state, flow.status) {
        case (.open, nil): return ("the request has been sent, and no answer has come yet", nil)
        case (.open, _): return ("it has not ended", nil)
        case (.aborted, _) where flow.tags.contains(ConnectionRecorder.incompleteTag):
            return (
                "its recording stopped here, and neither the app nor \(host) cut it off: more came than could be written, or the "
                    + "proxy ended",
                "record it again with less beside it (fewer hosts, a smaller --max-body), or with the proxy running to its end"
            )
        case (.aborted, _): return ("it was cut off before its end", nil)
        case (.complete, let status?) where status >= 500:
            return (
                "\(host) answered \(status): the server failed at it",
                "look into the server's log, and at the response body"
            )
        case (.complete, let status?) where status >= 400:
            return (
                "\(host) answered \(status): it did not want this request",
                "look at the response body; compare it with a request that worked"
            )
        case (.complete, let status?): return ("nothing failed: \(host) answered \(status)", nil)
        case (.complete, nil): return ("nothing failed", nil)
        }
    }

    private static func facts(_ flow: Flow) -> [String] {
        var facts: [String] = []
        func add(_ name: String, _ parts: [String?]) {
            let words = parts.compactMap { $0 }
            if !words.isEmpty { facts.append("\(name): \(words.joined(separator: ", "))") }
        }
        add("client", [flow.client.name, flow.client.address])
        add("alert", [flow.failure?.alert])
        if let tls = flow.tls {
            add(
                "client's TLS",
                [tls.version, tls.cipher, tls.alpn, tls.sni.map { "SNI \($0)" }, tls.ja4.map { "JA4 \($0)" }])
            if let upstream = tls.upstream {
                add("origin's TLS", [upstream.version, upstream.cipher, upstream.alpn])
                for (index, one) in upstream.chain.enumerated() {
                    facts.append(
                        "origin's \(index == 0 ? "leaf" : "issuer"): \(one.subject), issued by \(one.issuer), valid until \(one.notAfter)"
                    )
                }
            }
        }
        let timing = flow.timing
        func ms(_ name: String, _ value: Double?) -> String? { value.map { "\(name) \(Milliseconds.text($0))" } }
        add(
            "times",
            [
                ms("connect", timing.connectMS), ms("TLS with the origin", timing.tlsMS),
                ms("TLS with the client", timing.clientTLSMS), ms("request sent at", timing.sentMS),
                ms("first byte at", timing.firstByteMS), ms("last byte at", timing.lastByteMS),
                ms("in all", flow.durationMS),
            ])
        return facts
    }

    /// For a terminal.
    package var text: String {
        var lines = [what]
        if let todo { lines.append("what to do: \(todo)") }
        lines += facts
        if let other = host?.lastRead { lines.append("one that was read: pinproof flows show \(other)") }
        if let other = host?.lastFailed { lines.append("another that failed: pinproof flows show \(other)") }
        return lines.map { Printable.escaped($0) + "\n" }.joined()
    }

    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("id", Int(id))
        json.field("what", what)
        if let todo { json.field("todo", todo) }
        json.field("facts", facts, inline: false)
        if let host {
            json.key("host")
            json.beginObject()
            json.field("name", host.name)
            json.field("flows", host.flows)
            json.field("failed", host.failed)
            json.field("tunnels", host.tunnels)
            if let id = host.lastRead { json.field("last_read", Int(id)) }
            if let id = host.lastFailed { json.field("last_failed", Int(id)) }
            json.endObject()
        }
        json.endObject()
    }
}
