import Facts
import Loop

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The program that listens on a port of this machine, as far as the system tells.
struct PortOwner: Hashable, Sendable, CustomStringConvertible {
    /// As the system has it: cut after 15 bytes, and whatever the program made of it.
    var name: String
    var process: Int32

    var description: String { "\(Printable.excerpt(name, limit: 20)) (process \(process))" }

    /// nil where nobody is found: on other systems than Linux, and of other users' programs for all but root.
    static func find(_ port: UInt16) -> PortOwner? {
        let sockets = Set(
            ["/proc/net/tcp", "/proc/net/tcp6"].flatMap { Self.sockets(listeningAt: port, in: text($0)) })
        guard !sockets.isEmpty else { return nil }
        let names = (try? FileTree.entries(of: "/proc")) ?? []
        for process in names.compactMap({ Int32($0) }) {
            let folder = "/proc/\(process)/fd"
            for descriptor in (try? FileTree.entries(of: folder)) ?? [] {
                guard
                    let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(descriptor)"),
                    sockets.contains(target)
                else { continue }
                let name = text("/proc/\(process)/comm").prefix { !$0.isNewline }
                return PortOwner(name: name.isEmpty ? "a program" : String(name), process: process)
            }
        }
        return nil
    }

    /// `socket:[4711]` for each line of `/proc/net/tcp` whose socket listens at this port, at whatever address.
    static func sockets(listeningAt port: UInt16, in table: String) -> [String] {
        table.split(separator: "\n").compactMap { line in
            // sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode
            let fields = line.split(separator: " ")
            guard fields.count > 9, fields[3] == "0A", let colon = fields[1].lastIndex(of: ":"),
                UInt16(fields[1][fields[1].index(after: colon)...], radix: 16) == port
            else { return nil }
            return "socket:[\(fields[9])]"
        }
    }

    private static func text(_ path: String) -> String {
        String(decoding: (try? Files.read(path, limit: 4 << 20)) ?? [], as: UTF8.self)
    }
}
