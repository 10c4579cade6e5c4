import Facts

extension PinSync {
    /// `pinproof.sync/1`, indented, with a line break at its end.
    package var json: [UInt8] {
        var json = JSONWriter(layout: .indented)
        json.beginObject()
        json.field("schema", "pinproof.sync/1")
        json.field("agree", agrees)
        json.field("unclear", isUnclear)
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
        json.beginArray()
        for host in hosts {
            json.beginObject()
            json.field("host", host.pattern.domain)
            json.field("pattern", host.pattern.description)
            json.field("agree", host.agrees)
            json.field("unclear", host.isUnclear)
            json.key("stacks")
            json.beginArray()
            for stack in host.stacks { stack.write(to: &json) }
            json.endArray()
            json.endObject()
        }
        json.endArray()
        json.key("disagreements")
        json.beginArray()
        for found in disagreements { found.write(to: &json) }
        json.endArray()
        json.endObject()
        return json.bytes + [UInt8(ascii: "\n")]
    }
}

extension PinSync.Stack {
    fileprivate func write(to json: inout JSONWriter) {
        let good = pins.pins.filter { $0.digest != nil }
        let keys = good.filter(\.kind.isOfKey)
        json.beginObject()
        json.field("file", file)
        json.key("line")
        if let line { json.value(line) } else { json.null() }
        json.field("format", format.rawValue)
        json.field("pinned", isPinned)
        json.field("enforced", pins.isEnforced)
        json.field("pins_known", pins.pinsKnown)
        json.field("expires", orNull: pins.isPinned ? pins.expires?.description : nil)
        json.field("pins", keys.map(\.name).uniqued(), inline: false)
        json.field("leaf_pins", keys.filter { $0.part == .leaf }.map(\.name))
        json.field("ca_pins", keys.filter { $0.part == .ca }.map(\.name))
        json.field("certificate_pins", good.filter { !$0.kind.isOfKey }.map(\.name).uniqued())
        json.endObject()
    }
}

extension PinDisagreement {
    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject(inline: true)
        json.field("id", kind.rawValue)
        json.field("severity", severity.rawValue)
        json.field("host", orNull: pattern)
        json.field("file", file)
        json.key("line")
        if let line { json.value(line) } else { json.null() }
        json.field("format", format.rawValue)
        json.field("pin", orNull: pin)
        json.field("text", text)
        json.endObject()
    }
}
