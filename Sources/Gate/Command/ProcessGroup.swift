import Loop

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The processes of one run of COMMAND after its first has ended and was waited for.
struct ProcessGroup: Sendable {
    /// As long as the group has members, no other group gets this number.
    let id: Int32

    func kill() { ProcessControl.kill(group: id) }

    /// Whether anybody of the group still runs. Zombies do not: in a container whose first process never waits for
    /// orphans they stay for good, and waiting for them would cost every trial its whole grace.
    var hasLiveMembers: Bool {
        guard ProcessControl.hasMembers(group: id) else { return false }
        #if os(Linux)
            // Where that cannot be looked at, somebody may be left.
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc") else { return true }
            return names.contains { name in
                guard Int32(name) != nil else { return false }
                do throws(SystemError) {
                    let stat = try OpenFile(reading: "/proc/\(name)/stat").next()
                    guard let member = Self.parse(stat: String(decoding: stat, as: UTF8.self)) else { return false }
                    return member.group == id && member.state != "Z" && member.state != "X"
                } catch {
                    // Gone meanwhile; for any other reason (no descriptor is left) it may be one of them.
                    return !error.isNotFound && !error.isNoProcess
                }
            }
        #else
            return true
        #endif
    }

    /// State and process group of a line of `/proc/PID/stat`: `7 (a name) S 1 7 …`; the name may hold anything.
    static func parse(stat: String) -> (state: Substring, group: Int32)? {
        guard let end = stat.lastIndex(of: ")") else { return nil }
        let fields = stat[stat.index(after: end)...].split(separator: " ")
        guard fields.count > 2, let group = Int32(fields[2]) else { return nil }
        return (fields[0], group)
    }
}
