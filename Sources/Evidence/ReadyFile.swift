import Facts
import Loop

/// What `--ready-file` holds once the port is bound.
package enum ReadyFile {
    package struct Inspector: Hashable, Sendable {
        /// The page's address with its token.
        package var page: String?
        package var token: String?
        /// Where flows are kept.
        package var store: String?

        package init(page: String? = nil, token: String? = nil, store: String? = nil) {
            self.page = page
            self.token = token
            self.store = store
        }
    }

    /// Takes away what an earlier run has left there: who waits for the file must not find that one.
    /// A file of somebody else's stays.
    package static func clear(_ path: String) {
        guard Files.kind(path) == .file, let bytes = try? Files.read(path, limit: 1 << 20),
            bytes.starts(with: Array(#"{"proxy":"#.utf8))
        else { return }
        _ = FileTree.removeFile(path)
    }

    /// Other programs wait for the file: they must never see half of it. With a token in it, no other user may read it.
    ///
    /// - Parameter inspector: what the debugging proxy adds; nil in the gate.
    package static func write(
        _ path: String, proxy: String, ca: String, process: Int32, clients: [(name: String, url: String)] = [],
        inspector: Inspector? = nil
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
        if let inspector {
            json.field("ui", orNull: inspector.page)
            json.field("token", orNull: inspector.token)
            json.field("store", orNull: inspector.store)
        }
        json.endObject()
        let bytes = json.bytes + [UInt8(ascii: "\n")]
        guard inspector?.token != nil, Files.kind(path) != .stream else {
            return try Files.writeAtomically(bytes, to: path)
        }
        let draft = "\(path).\(ProcessControl.ownID).part"
        do throws(SystemError) {
            try OpenFile(creating: draft, mode: 0o600).write(bytes)
            try FileTree.rename(draft, to: path)
        } catch {
            _ = FileTree.removeFile(draft)
            throw .cannotWrite(path: path, reason: error.reason)
        }
    }
}
