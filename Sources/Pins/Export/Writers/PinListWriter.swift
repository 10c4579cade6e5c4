import Facts

/// The neutral list, with what is lost as comments of its hosts.
enum PinListWriter {
    static func text(_ hosts: [DeclaredHost], _ losses: [PinExport.Loss]) -> String {
        let list = PinList(
            hosts: hosts.map { host in
                var entry = PinList.Host(host)
                let words = losses.filter { $0.pattern == host.patterns.joined(separator: ", ") }.map(\.text)
                if !words.isEmpty { entry.comment = words.joined(separator: "; ") }
                return entry
            })
        return String(decoding: PinsJSONWriter.write(list), as: UTF8.self)
    }
}
