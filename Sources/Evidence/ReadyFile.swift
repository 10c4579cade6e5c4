import Facts

/// What `--ready-file` holds once the port is bound.
enum ReadyFile {
    /// Other programs wait for the file: they must never see half of it.
    static func write(
        _ path: String, proxy: String, ca: String, process: Int32, clients: ClientAccess? = nil
    ) throws(GateError) {
        var json = JSONWriter()
        json.beginObject()
        json.field("proxy", proxy)
        json.field("ca", ca)
        json.field("pid", Int(process))
        if let clients, !clients.entries.isEmpty {
            json.key("clients")
            clients.write(to: &json)
        }
        json.endObject()
        try Files.writeAtomically(json.bytes + [UInt8(ascii: "\n")], to: path)
    }
}
