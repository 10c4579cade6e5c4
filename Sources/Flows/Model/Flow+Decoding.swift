import Facts

/// What is wrong with a text that should have been a flow.
package struct FlowFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The end of a sentence: `"kind" is missing or not one of http, websocket, raw, tunnel, failure`.
    package var reason: String

    package init(reason: String) { self.reason = reason }

    package var description: String { reason }
}

extension Flow {
    /// From what `write` wrote, or another program: members that are unknown, or of another type, are passed over; those
    /// that a flow cannot be without are asked for.
    package init(json: JSONValue) throws(FlowFault) {
        guard json.members != nil else { throw FlowFault(reason: "a flow is an object") }
        if let schema = json["schema"]?.string, schema != Self.schema {
            throw FlowFault(reason: "\"schema\" is \(schema), and only \(Self.schema) is known")
        }
        guard let kind = json["kind"]?.string.flatMap(Kind.init) else {
            throw FlowFault(reason: "\"kind\" is missing or not one of http, websocket, raw, tunnel, failure")
        }
        guard let state = json["state"]?.string.flatMap(State.init) else {
            throw FlowFault(reason: "\"state\" is missing or not one of open, complete, aborted")
        }
        guard let started = json["started"]?.string.flatMap(UTCTime.unix(rfc3339:)) else {
            throw FlowFault(reason: "\"started\" is missing or no time like 2026-01-01T00:00:00.123456Z")
        }
        self.init(id: Int64(json["id"]?.int ?? 0), kind: kind, state: state, started: started)
        connection = json["connection"]?.int.flatMap(UInt64.init(exactly:))
        stream = json["stream"]?.int
        durationMS = json["duration_ms"]?.milliseconds
        client = Client(address: json["client"]?["address"]?.string, name: json["client"]?["name"]?.string)
        let server = json["server"]
        self.server = Server(
            host: server?["host"]?.string, port: server?["port"]?.int, address: server?["address"]?.string,
            proxy: server?["proxy"]?.string)
        scheme = json["scheme"]?.string
        method = json["method"]?.string
        url = json["url"]?.string
        status = json["status"]?.int
        version = json["version"]?.string
        request = json["request"].flatMap(FlowSide.init(json:))
        response = json["response"].flatMap(FlowSide.init(json:))
        messages = json["messages"]?.count ?? 0
        tags = json["tags"]?.array?.compactMap(\.string) ?? []
        timing = FlowTiming(json: json["timing"])
        tls = json["tls"].flatMap(FlowTLS.init(json:))
        failure = json["failure"].flatMap(FlowFailure.init(json:))
        if let at = json["undecodable"]?["at"]?.count, let why = json["undecodable"]?["why"]?.string {
            undecodable = Undecodable(at: at, why: why)
        }
        mark = json["mark"]?.string
        comment = json["comment"]?.string
    }
}

extension JSONValue {
    /// Bytes, or messages: nil for what no computer counts so far, and below nothing.
    package var count: Int? { int.flatMap { 0...1 << 53 ~= $0 ? $0 : nil } }

    /// Nil for what is over before it has begun, or lasts longer than thirty years.
    package var milliseconds: Double? { double.flatMap { 0...1e12 ~= $0 ? $0 : nil } }
}

extension FlowSide {
    init?(json: JSONValue) {
        guard json.members != nil else { return nil }
        self.init(
            reason: json["reason"]?.string,
            headers: [HeaderField](json: json["headers"], latin1: json["latin1_headers"]),
            trailers: [HeaderField](json: json["trailers"], latin1: json["latin1_trailers"]),
            body: json["body"].flatMap(FlowBody.init(json:)),
            informational: json["informational"]?.array?.compactMap { interim in
                interim["status"]?.int.map {
                    Interim(
                        status: $0, reason: interim["reason"]?.string,
                        headers: [HeaderField](json: interim["headers"], latin1: interim["latin1_headers"]))
                }
            } ?? [])
        target = json["target"]?.string.map { text in
            let isLatin1 = json["latin1_target"]?.bool == true && text.unicodeScalars.allSatisfy { $0.value < 256 }
            return RequestTarget(text, isLatin1: isLatin1)
        }
        version = json["version"]?.string
    }
}

extension FlowBody {
    init?(json: JSONValue) {
        guard json.members?.isEmpty == false else { return nil }
        self.init(
            size: json["size"]?.count ?? 0, decodedSize: json["decoded_size"]?.count, sha256: json["sha256"]?.string,
            kept: json["kept"]?.count ?? 0, encoding: json["encoding"]?.string, type: json["type"]?.string,
            shed: json["shed"]?.count ?? 0)
    }
}

extension FlowTiming {
    init(json: JSONValue?) {
        self.init(
            blockedMS: json?["blocked_ms"]?.milliseconds, connectMS: json?["connect_ms"]?.milliseconds,
            tlsMS: json?["tls_ms"]?.milliseconds, clientTLSMS: json?["client_tls_ms"]?.milliseconds,
            sentMS: json?["sent_ms"]?.milliseconds,
            firstByteMS: json?["first_byte_ms"]?.milliseconds, lastByteMS: json?["last_byte_ms"]?.milliseconds)
    }
}

extension FlowTLS {
    convenience init?(json: JSONValue) {
        guard json.members != nil else { return nil }
        self.init(
            version: json["version"]?.string, cipher: json["cipher"]?.string, alpn: json["alpn"]?.string,
            sni: json["sni"]?.string, ja4: json["ja4"]?.string, upstream: json["upstream"].map(Upstream.init(json:)))
    }
}

extension FlowTLS.Upstream {
    fileprivate init(json: JSONValue) {
        self.init(
            version: json["version"]?.string, cipher: json["cipher"]?.string, alpn: json["alpn"]?.string,
            ja4: json["ja4"]?.string,
            chain: json["chain"]?.array?.map { one in
                CertificateFacts(
                    subject: one["subject"]?.string ?? "", issuer: one["issuer"]?.string ?? "",
                    notAfter: one["not_after"]?.string ?? "", sha256: one["sha256"]?.string ?? "",
                    spkiSHA256: one["spki_sha256"]?.string ?? "")
            } ?? [])
    }
}

extension FlowFailure {
    init?(json: JSONValue) {
        guard let id = json["id"]?.string.flatMap(ID.init), let leg = json["leg"]?.string.flatMap(Leg.init) else {
            return nil
        }
        self.init(
            id, leg: leg, alert: json["alert"]?.string, text: json["text"]?.string ?? "", hint: json["hint"]?.string)
    }
}

extension [HeaderField] {
    init(json: JSONValue?, latin1: JSONValue? = nil) {
        self =
            json?.array?.compactMap { pair in
                guard let pair = pair.array, pair.count == 2, let name = pair[0].string, let value = pair[1].string
                else {
                    return nil
                }
                return HeaderField(name, value)
            } ?? []
        for index in latin1?.array ?? [] {
            guard let index = index.int, indices.contains(index),
                self[index].value.unicodeScalars.allSatisfy({ $0.value < 256 })
            else { continue }
            self[index].isLatin1 = true
        }
    }
}
