import Facts

/// Writes `pins.json`; its form is that of `PinList`.
package enum PinsJSONWriter {
    /// Indented, with a line feed at its end; defaults are left out. What `PinsJSONReader` reads of it is the same
    /// list.
    package static func write(_ list: PinList) -> [UInt8] {
        var json = JSONWriter(layout: .indented)
        json.beginObject()
        json.field("schema", PinList.schema)
        json.key("hosts")
        json.beginArray()
        for host in list.hosts { write(host, to: &json) }
        json.endArray()
        json.endObject()
        return json.bytes + [UInt8(ascii: "\n")]
    }

    private static func write(_ host: PinList.Host, to json: inout JSONWriter) {
        json.beginObject()
        json.key("host")
        if let name = host.name { json.value(name) } else { json.null() }
        if host.reach.contains(.descendants) {
            json.field("include_subdomains", "all")
        } else if host.reach.contains(.children) {
            json.field("include_subdomains", "one")
        }
        if !host.reach.contains(.itself), !host.reach.isEmpty { json.field("include_itself", false) }
        let parts = Set(host.pins.map(\.declared.part))
        let common = parts.count == 1 ? parts.first ?? .any : .any
        if common != .any { json.field("part", common.rawValue) }
        if let expires = host.expires { json.field("expires", expires.description) }
        if !host.isEnforced { json.field("enforced", false) }
        if let comment = host.comment { json.field("comment", comment) }
        json.key("pins")
        json.beginArray()
        for pin in host.pins { write(pin, part: common, to: &json) }
        json.endArray()
        json.endObject()
    }

    private static func write(_ pin: PinList.Pin, part: DeclaredPin.Part, to json: inout JSONWriter) {
        let isPlain = pin.name == nil && !pin.isBackup && pin.comment == nil && pin.declared.part == part
        guard !isPlain else {
            json.value(pin.declared.name)
            return
        }
        json.beginObject(inline: true)
        json.field("pin", pin.declared.name)
        if let name = pin.name { json.field("name", name) }
        if pin.isBackup { json.field("backup", true) }
        if pin.declared.part != part { json.field("part", pin.declared.part.rawValue) }
        if let comment = pin.comment { json.field("comment", comment) }
        json.endObject()
    }
}
