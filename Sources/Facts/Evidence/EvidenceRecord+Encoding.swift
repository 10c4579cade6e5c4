// Written out by hand, not by `JSONEncoder`: one observation is written per connection on the data path, and what
// is nil, empty or false is left out. `EvidenceRecord+Decoding.swift` is the way back; a test holds both against the
// `CodingKeys`.

extension RunHeader {
    func writeFields(to json: inout JSONWriter) {
        json.field("schema", schema)
        json.field("pinproof", pinproof)
        json.field("openssl", openssl)
        json.field("libevent", libevent)
        json.field("started", started)
        json.field("profile", profile)
        json.field("profile_sha256", profileSHA256)
        json.key("ca")
        json.beginObject()
        json.field("sha256", ca.sha256)
        json.fieldUnlessEmpty("scope", ca.scope)
        json.endObject()
        json.field("cold_starts", coldStarts)
        json.field("attacks", attacks.map(\.rawValue))
        json.fieldUnlessEmpty("variants", variants)
        if !run.isEmpty { json.field("run", run) }
        json.fieldUnlessEmpty("labels", labels)
        if !artefacts.isEmpty {
            json.key("artefacts")
            json.beginArray()
            for artefact in artefacts {
                json.beginObject()
                json.field("file", artefact.file)
                json.field("sha256", artefact.sha256)
                json.field("bytes", artefact.bytes)
                if let app = artefact.app {
                    json.key("app")
                    json.beginObject()
                    json.fieldUnlessNil("id", app.id)
                    json.fieldUnlessNil("version", app.version)
                    json.field("debuggable", app.debuggable)
                    json.endObject()
                }
                json.endObject()
            }
            json.endArray()
        }
        json.fieldUnlessNil("profile_file", profileFile)
        json.fieldUnlessNil("shard", shard?.description)
        if let planColdStarts { json.field("plan_cold_starts", planColdStarts) }
        json.fieldUnlessNil("plan", plan)
        if let anchors {
            json.key("anchors")
            json.beginObject()
            json.key("declared")
            json.beginObject()
            for (pattern, pins) in anchors.declared.sorted(by: { $0.key < $1.key }) { json.field(pattern, pins) }
            json.endObject()
            json.field("authority", anchors.authority)
            json.endObject()
        }
        json.fieldUnlessEmpty("lent_keys", lentKeys)
        json.fieldIfTrue("watches_network", watchesNetwork)
        json.fieldUnlessEmpty("options", options)
    }
}

extension SelfTestResult {
    func writeFields(to json: inout JSONWriter) {
        json.field("passed", passed)
        json.fieldUnlessEmpty("problems", problems)
        json.field("ms", ms)
    }
}

extension TrialStart {
    func writeFields(to json: inout JSONWriter) {
        json.field("trial", trial)
        json.field("attack", attack.rawValue)
        json.fieldUnlessNil("variant", variant)
        json.fieldUnlessEmpty("only", only.map(\.text))
        if sparedFirst != 0 { json.field("spared_first", sparedFirst) }
        if let retryOf { json.field("retry_of", retryOf) }
        json.field("at", at)
    }
}

extension TrialEnd {
    func writeFields(to json: inout JSONWriter) {
        json.field("trial", trial)
        if let exit { json.field("exit", exit) }
        if let signal { json.field("signal", signal) }
        json.fieldIfTrue("timed_out", timedOut)
        json.fieldIfTrue("interrupted", interrupted)
        json.fieldIfTrue("left_state", leftState)
        json.fieldUnlessNil("state_fault", stateFault)
        json.fieldUnlessNil("last_error", lastError)
        json.field("seconds", seconds)
        json.field("at", at)
    }
}

extension RunEnd {
    func writeFields(to json: inout JSONWriter) {
        json.fieldIfTrue("interrupted", interrupted)
        json.fieldUnlessNil("fault", fault)
        if let early {
            json.key("early")
            early.write(to: &json)
        }
        json.fieldUnlessEmpty("left_out", leftOut)
        json.field("seconds", seconds)
        json.field("at", at)
    }
}

extension Observation {
    func writeFields(to json: inout JSONWriter) {
        json.key("connection")
        json.value(connection)
        json.field("trial", trial)
        json.field("at", at)
        if let clientEndpoint { json.field("client", clientEndpoint.description) }
        json.fieldUnlessNil("client_name", clientName)
        json.fieldUnlessNil("credentials", credentials?.rawValue)
        json.field("via", via.rawValue)
        if let target { json.field("target", target.description) }
        json.fieldUnlessNil("host", host?.text)
        if let hello {
            json.key("hello")
            hello.write(to: &json)
        }
        if let helloMS { json.field("hello_ms", helloMS) }
        json.field("action", action.rawValue)
        json.fieldUnlessNil("attack", attack?.rawValue)
        json.fieldUnlessNil("variant", variant)
        if let upstream {
            json.key("upstream")
            upstream.write(to: &json)
        }
        json.fieldUnlessEmpty("presented", presented)
        json.fieldUnlessEmpty("unlike", unlike)
        json.fieldUnlessEmpty("found_at", foundAt.map(\.description))
        json.fieldUnlessEmpty("pins_served_by", pinsServedBy.map(\.text))
        json.fieldIfTrue("left_out", leftOut)
        json.fieldIfTrue("without_origin", isStoodIn)
        if let negotiated {
            json.key("negotiated")
            negotiated.write(to: &json)
        }
        json.fieldIfTrue("resumed", resumed)
        if let flight {
            json.key("flight")
            json.beginObject()
            json.field("ms", flight.ms)
            json.field("delivered", flight.delivered)
            json.endObject()
        }
        if let finishedMS { json.field("finished_ms", finishedMS) }
        writeWire(to: &json)
        if behindAlert > 0 { json.field("behind_alert", behindAlert) }
        json.field("bytes_up", bytesUp)
        json.field("bytes_down", bytesDown)
        if clearUp > 0 { json.field("clear_up", clearUp) }
        if let first {
            json.key("first")
            json.beginObject()
            json.field("shape", first.shape)
            json.field("sha256", first.sha256)
            json.endObject()
        }
        json.fieldIfTrue("preface_only", prefaceOnly)
        json.fieldIfTrue("probe", isProbe)
        json.fieldIfTrue("passthrough_data", passthroughData)
        json.fieldIfTrue("client_asked", clientAsked)
        if requests > 0 { json.field("requests", requests) }
        json.fieldUnlessEmpty("asked", asked.map(\.text))
        if let status { json.field("status", status) }
        if let statusMS { json.field("status_ms", statusMS) }
        json.fieldIfTrue("redirected", redirected)
        json.fieldIfTrue("server_answered", serverAnswered)
        if let close {
            json.key("close")
            json.beginObject()
            json.field("by", close.by.rawValue)
            json.field("how", close.how.rawValue)
            json.field("ms", close.ms)
            json.endObject()
        }
        json.fieldUnlessNil("error", error)
    }

    private func writeWire(to json: inout JSONWriter) {
        if !alerts.isEmpty {
            json.key("alerts")
            json.beginArray()
            for alert in alerts { alert.write(to: &json) }
            json.endArray()
        }
        if !records.isEmpty {
            json.key("records")
            json.beginArray()
            for record in records {
                json.beginObject()
                json.field("type", Int(record.type))
                json.field("length", record.length)
                json.endObject()
            }
            json.endArray()
        }
    }
}

extension HelloFacts {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.fieldUnlessNil("sni", sni?.text)
        json.fieldUnlessEmpty("alpn", alpn)
        json.key("versions")
        json.beginArray()
        for version in versions { json.value(version.evidenceName) }
        json.endArray()
        if !ja4.isEmpty { json.field("ja4", ja4) }
        if !stack.isEmpty { json.field("stack", stack) }
        json.fieldIfTrue("psk", offersPSK)
        json.fieldIfTrue("session_id", offersSessionID)
        json.fieldIfTrue("early_data", offersEarlyData)
        json.fieldIfTrue("ech", offersECH)
        json.fieldUnlessEmpty("weak_suites", weakSuites)
        json.fieldUnlessEmpty("likely", likelyStacks.map(\.rawValue))
        json.field("length", length)
        json.endObject()
    }
}

extension Observation.Upstream {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        if let address { json.field("address", address.description) }
        if let negotiated {
            json.key("negotiated")
            negotiated.write(to: &json)
        }
        json.field("verified", verified)
        json.fieldUnlessEmpty("chain", chain)
        json.fieldUnlessEmpty("spki", spki)
        if !certificates.isEmpty {
            json.key("certificates")
            json.beginArray()
            for certificate in certificates {
                certificate.write(to: &json)
            }
            json.endArray()
        }
        json.fieldIfTrue("asks_certificate", asksForCertificate)
        json.fieldUnlessNil("error", error)
        json.endObject()
    }
}

extension Negotiated {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("version", version.evidenceName)
        json.field("cipher", cipher)
        json.fieldUnlessNil("alpn", alpn)
        json.endObject()
    }
}

extension Alert {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("from", from.rawValue)
        json.field("level", Int(level))
        json.field("code", Int(code))
        json.field("epoch", epoch.rawValue)
        json.field("ms", ms)
        json.endObject()
    }
}

extension TLSVersion {
    /// `description` without building a string each time.
    fileprivate var evidenceName: String {
        switch self {
        case .ssl3: "ssl3"
        case .tls10: "1.0"
        case .tls11: "1.1"
        case .tls12: "1.2"
        case .tls13: "1.3"
        }
    }
}

extension JSONWriter {
    fileprivate mutating func fieldUnlessNil(_ name: String, _ text: String?) {
        if let text { field(name, text) }
    }

    mutating func fieldUnlessEmpty(_ name: String, _ texts: [String]) {
        if !texts.isEmpty { field(name, texts) }
    }

    mutating func fieldUnlessEmpty(_ name: String, _ texts: [String: String]) {
        guard !texts.isEmpty else { return }
        key(name)
        beginObject()
        for (name, text) in texts.sorted(by: { $0.key < $1.key }) { field(name, text) }
        endObject()
    }

    fileprivate mutating func fieldIfTrue(_ name: String, _ flag: Bool) {
        if flag { field(name, true) }
    }
}
