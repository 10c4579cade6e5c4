import Console
import Facts

/// One thing that was looked at: how it is, and what to do where something is to be done.
package struct DoctorCheck: Hashable, Sendable {
    package enum Status: String, Hashable, Sendable, CaseIterable {
        case ok
        /// Worth a look: it stands in the way of somebody, or may do so.
        case warning
        case failed
        /// It could not be looked at, or there was nothing to look at.
        case skipped
    }

    package var id: String
    package var status: Status
    package var what: String
    package var todo: String?

    package init(_ id: String, _ status: Status, _ what: String, todo: String? = nil) {
        self.id = id
        self.status = status
        self.what = what
        self.todo = todo
    }
}

/// What `pinproof doctor` has found, in the order in which it is read.
package struct DoctorReport: Hashable, Sendable {
    package static let format = "pinproof.doctor/1"

    package var checks: [DoctorCheck]
    /// The store or the CA is there, or was named, and cannot be read.
    package var hasUnreadable = false

    package init(_ checks: [DoctorCheck], hasUnreadable: Bool = false) {
        self.checks = checks
        self.hasUnreadable = hasUnreadable
    }

    package var exitStatus: ExitStatus {
        if hasUnreadable { return .configuration }
        return count(.failed) > 0 ? .fail : .pass
    }

    package func count(_ status: DoctorCheck.Status) -> Int { checks.count { $0.status == status } }

    /// In one sentence.
    package var summary: String {
        let (wrong, notes) = (count(.failed), count(.warning))
        guard wrong + notes > 0 else { return "nothing is in the way" }
        let parts =
            (wrong > 0 ? ["\(English.count(wrong, "thing")) \(wrong == 1 ? "is" : "are") wrong"] : [])
            + (notes > 0 ? [English.count(notes, "note")] : [])
        return English.list(parts)
    }

    package var json: String {
        var json = JSONWriter(layout: .indented)
        json.beginObject()
        json.field("format", Self.format)
        json.key("checks")
        json.beginArray()
        for check in checks {
            json.beginObject()
            json.field("id", check.id)
            json.field("status", check.status.rawValue)
            json.field("what", check.what)
            if let todo = check.todo { json.field("todo", todo) }
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self) + "\n"
    }
}
