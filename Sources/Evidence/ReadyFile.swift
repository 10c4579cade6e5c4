import Facts
import Loop

/// What `--ready-file` holds once the port is bound.
package enum ReadyFile {
    /// Other programs wait for the file: they must never see half of it.
    package static func write(
        _ path: String, proxy: String, ca: String, process: Int32, clients: [(name: String, url: String)] = []
    ) throws(FileError) {
        var json = JSONWriter()
        json.beginObject()
        json.field("proxy", proxy)
        json.field("ca", ca)
        json.field("pid", Int(process))
        if !clients.isEmpty {
            json.key("clients")
            json.beginObject()
            for client in clients { json.field(client.name, client.url) }
            json.endObject()
        }
        json.endObject()
        try Files.writeAtomically(json.bytes + [UInt8(ascii: "\n")], to: path)
    }
}
