import Facts

extension PinImport {
    /// `pinproof.import/1`, indented, with a line break at its end.
    package var json: [UInt8] {
        var json = JSONWriter(layout: .indented)
        json.beginObject()
        json.field("schema", "pinproof.import/1")
        json.key("files")
        json.beginArray()
        for file in files {
            json.beginObject(inline: true)
            json.field("path", file.path)
            json.field("format", file.format.rawValue)
            json.endObject()
        }
        json.endArray()
        json.key("hosts")
        writeHosts(to: &json)
        json.key("notes")
        json.beginArray()
        for note in notes {
            json.beginObject(inline: true)
            json.field("id", note.note.id.rawValue)
            json.field("file", note.file)
            json.field("line", note.note.line)
            json.field("text", note.note.text)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return json.bytes + [UInt8(ascii: "\n")]
    }

    /// The array `hosts`; `pins` of an inspected app are the same objects.
    package func writeHosts(to json: inout JSONWriter) {
        json.beginArray()
        for host in hosts { host.write(to: &json) }
        json.endArray()
    }
}

extension PinImport.Host {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("host", orNull: pattern?.domain)
        json.field("pattern", orNull: pattern?.description)
        json.field("pins", keyPins().uniqued(), inline: false)
        json.field("part", part)
        json.field("leaf_pins", keyPins(.leaf))
        json.field("ca_pins", keyPins(.ca))
        if let effectivePins { json.field("effective_pins", effectivePins, inline: false) }
        if !certificatePins.isEmpty { json.field("certificate_pins", certificatePins, inline: false) }
        json.field("pinned", entry.isPinned)
        json.field("pins_known", entry.pinsKnown)
        json.field("enforced", entry.isEnforced)
        json.field("expires", orNull: entry.expires?.description)
        json.field("format", entry.format.rawValue)
        json.field("file", file)
        json.field("line", entry.line)
        json.endObject()
    }
}
