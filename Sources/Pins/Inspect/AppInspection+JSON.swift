import Facts

extension AppInspection {
    /// `pinproof.inspect/1`.
    ///
    /// - Parameters:
    ///   - pins: writes one value, the array that import has as `hosts`.
    ///   - findings: writes one value, the array that lint has as `findings`.
    package func json(
        layout: JSONWriter.Layout = .indented, pins: (inout JSONWriter) -> Void,
        findings: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var json = JSONWriter(layout: layout)
        json.beginObject()
        json.field("schema", "pinproof.inspect/1")
        json.field("path", path)
        json.field("sha256", sha256)
        json.field("platform", platform.rawValue)
        json.field("id", orNull: id)
        json.field("version", orNull: version)
        json.field("build", orNull: build)
        json.field("debuggable", isDebuggable)
        json.key("target_sdk")
        if let targetSDK { json.value(targetSDK) } else { json.null() }
        json.key("pins")
        pins(&json)
        json.field("user_anchors", hasUserAnchors)
        json.field("cleartext", clearText)
        writeCertificates(&json)
        writePinLikeStrings(&json)
        json.field("libraries", libraries)
        json.key("findings")
        findings(&json)
        writeFaults(&json)
        json.field("notes", notes, inline: false)
        json.endObject()
        return json.bytes
    }

    private func writeCertificates(_ json: inout JSONWriter) {
        json.key("bundled_certificates")
        json.beginArray()
        for certificate in certificates {
            json.beginObject(inline: true)
            json.field("path", certificate.path)
            json.field("subject", certificate.subject)
            json.field("not_after", certificate.notAfter)
            json.field("spki_sha256", certificate.spkiSHA256)
            json.endObject()
        }
        json.endArray()
    }

    private func writePinLikeStrings(_ json: inout JSONWriter) {
        json.key("pin_like_strings")
        json.beginArray()
        for string in pinLikeStrings {
            json.beginObject(inline: true)
            json.field("value", string.value)
            json.field("path", string.path)
            json.endObject()
        }
        json.endArray()
    }

    /// What a platform rejects, beside the contract's keys: an app that cannot read its pins has none to list.
    private func writeFaults(_ json: inout JSONWriter) {
        json.key("faults")
        json.beginArray()
        for fault in faults {
            json.beginObject(inline: true)
            json.field("path", fault.path)
            json.key("line")
            if let line = fault.fault.line { json.value(line) } else { json.null() }
            json.field("effect", fault.fault.effect.name)
            json.field("text", fault.fault.message)
            json.endObject()
        }
        json.endArray()
    }
}

extension PinFileFault.Effect {
    /// As JSON and reports say it.
    package var name: String {
        switch self {
        case .failsClosed: "fails-closed"
        case .failsOpen: "fails-open"
        case .unreadable: "unreadable"
        }
    }
}
