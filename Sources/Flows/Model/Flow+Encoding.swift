import Facts

/// `pinproof.flow/1`: one object, the same for people, files and programs. Unknown members are left out.
extension Flow {
    package static let schema = "pinproof.flow/1"

    /// - Parameters:
    ///   - body: adds members to the body of a direction, such as its bytes in an export.
    ///   - writeTLS: writes the value of `tls`.
    ///   - more: adds members at the end.
    package func write(
        to json: inout JSONWriter, body: (ExchangeDirection, inout JSONWriter) -> Void = { _, _ in },
        tls writeTLS: (FlowTLS, inout JSONWriter) -> Void = { $0.write(to: &$1) },
        more: (inout JSONWriter) throws -> Void
    ) rethrows {
        json.beginObject()
        json.field("schema", Self.schema)
        json.field("id", Int(id))
        if let connection { json.unsigned("connection", connection) }
        json.known("stream", stream)
        json.field("kind", kind.rawValue)
        json.field("state", state.rawValue)
        json.field("started", UTCTime.microseconds(unix: started))
        json.known("duration_ms", durationMS)
        writeParties(to: &json)
        json.known("scheme", scheme)
        json.known("method", method)
        json.known("url", url)
        json.known("status", status)
        json.known("version", version)
        request?.write("request", to: &json) { body(.up, &$0) }
        response?.write("response", to: &json) { body(.down, &$0) }
        if messages > 0 { json.field("messages", messages) }
        if !tags.isEmpty { json.field("tags", tags) }
        timing.write(to: &json)
        if let tls {
            json.key("tls")
            writeTLS(tls, &json)
        }
        failure?.write(to: &json)
        if let undecodable {
            json.key("undecodable")
            json.beginObject(inline: true)
            json.field("at", undecodable.at)
            json.field("why", undecodable.why)
            json.endObject()
        }
        json.known("mark", mark)
        json.known("comment", comment)
        try more(&json)
        json.endObject()
    }

    package func write(
        to json: inout JSONWriter, tls writeTLS: (FlowTLS, inout JSONWriter) -> Void = { $0.write(to: &$1) }
    ) {
        write(to: &json, tls: writeTLS, more: { _ in })
    }

    /// On one line.
    package var json: [UInt8] {
        var json = JSONWriter(reserving: 1024)
        write(to: &json)
        return json.bytes
    }

    private func writeParties(to json: inout JSONWriter) {
        if client != Client() {
            json.key("client")
            json.beginObject(inline: true)
            json.known("address", client.address)
            json.known("name", client.name)
            json.endObject()
        }
        if server != Server() {
            json.key("server")
            json.beginObject(inline: true)
            json.known("host", server.host)
            json.known("port", server.port)
            json.known("address", server.address)
            json.known("proxy", server.proxy)
            json.endObject()
        }
    }
}

extension FlowSide {
    func write(_ name: String, to json: inout JSONWriter, more: (inout JSONWriter) -> Void) {
        json.key(name)
        json.beginObject()
        json.known("target", target?.text)
        if target?.isLatin1 == true { json.field("latin1_target", true) }
        json.known("version", version)
        json.known("reason", reason)
        json.fields("headers", headers)
        if !trailers.isEmpty { json.fields("trailers", trailers) }
        json.latin1("latin1_headers", headers)
        json.latin1("latin1_trailers", trailers)
        body?.write(to: &json, more: more)
        if !informational.isEmpty {
            json.key("informational")
            json.beginArray()
            for interim in informational {
                json.beginObject()
                json.field("status", interim.status)
                json.known("reason", interim.reason)
                json.fields("headers", interim.headers)
                json.latin1("latin1_headers", interim.headers)
                json.endObject()
            }
            json.endArray()
        }
        json.endObject()
    }
}

extension FlowBody {
    func write(to json: inout JSONWriter, more: (inout JSONWriter) -> Void) {
        json.key("body")
        json.beginObject(inline: true)
        json.field("size", size)
        json.known("decoded_size", decodedSize)
        json.known("sha256", sha256)
        json.field("kept", kept)
        if shed > 0 { json.field("shed", shed) }
        json.known("encoding", encoding)
        json.known("type", type)
        more(&json)
        json.endObject()
    }
}

extension FlowTiming {
    func write(to json: inout JSONWriter) {
        guard self != FlowTiming() else { return }
        json.key("timing")
        json.beginObject(inline: true)
        json.known("blocked_ms", blockedMS)
        json.known("connect_ms", connectMS)
        json.known("tls_ms", tlsMS)
        json.known("client_tls_ms", clientTLSMS)
        json.known("sent_ms", sentMS)
        json.known("first_byte_ms", firstByteMS)
        json.known("last_byte_ms", lastByteMS)
        json.endObject()
    }
}

extension FlowTLS {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.known("version", version)
        json.known("cipher", cipher)
        json.known("alpn", alpn)
        json.known("sni", sni)
        json.known("ja4", ja4)
        if let upstream {
            json.key("upstream")
            json.beginObject()
            json.known("version", upstream.version)
            json.known("cipher", upstream.cipher)
            json.known("alpn", upstream.alpn)
            json.known("ja4", upstream.ja4)
            json.key("chain")
            json.beginArray()
            for one in upstream.chain { one.write(to: &json) }
            json.endArray()
            json.endObject()
        }
        json.endObject()
    }
}

extension CertificateFacts {
    package func write(to json: inout JSONWriter) {
        json.beginObject(inline: true)
        json.field("subject", subject)
        json.field("issuer", issuer)
        json.field("not_after", notAfter)
        json.field("sha256", sha256)
        json.field("spki_sha256", spkiSHA256)
        json.endObject()
    }
}

extension FlowFailure {
    func write(to json: inout JSONWriter) {
        json.key("failure")
        json.beginObject(inline: true)
        json.field("id", id.rawValue)
        json.field("leg", leg.rawValue)
        json.known("alert", alert)
        json.field("text", text)
        json.known("hint", hint)
        json.endObject()
    }
}

extension JSONWriter {
    fileprivate mutating func known(_ name: String, _ text: String?) { if let text { field(name, text) } }
    fileprivate mutating func known(_ name: String, _ number: Int?) { if let number { field(name, number) } }

    /// Microseconds are as fine as clocks here are; more digits would be noise.
    fileprivate mutating func known(_ name: String, _ milliseconds: Double?) {
        if let milliseconds { field(name, (milliseconds * 1000).rounded() / 1000) }
    }

    fileprivate mutating func unsigned(_ name: String, _ number: UInt64) {
        key(name)
        value(number)
    }

    /// The places of those fields whose bytes were ISO 8859-1, as nothing else tells.
    fileprivate mutating func latin1(_ name: String, _ fields: [HeaderField]) {
        guard fields.contains(where: \.isLatin1) else { return }
        key(name)
        beginArray(inline: true)
        for (index, field) in fields.enumerated() where field.isLatin1 { value(index) }
        endArray()
    }

    fileprivate mutating func fields(_ name: String, _ fields: [HeaderField]) {
        key(name)
        beginArray()
        for field in fields {
            beginArray(inline: true)
            value(field.name)
            value(field.value)
            endArray()
        }
        endArray()
    }
}
