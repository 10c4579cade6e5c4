import Facts
import Pins

/// What `pinproof rehearse --json` prints (`pinproof.rehearsal/1`): docs/rehearse.md.
package enum RehearsalJSON {
    package static let schema = "pinproof.rehearsal/1"

    package static func text(_ report: RehearsalReport) -> String {
        var json = JSONWriter(layout: .indented, reserving: 4 << 10)
        json.beginObject()
        json.field("schema", schema)
        json.field("profile", report.profile)
        json.field("build", report.build)
        json.field("started", report.started)
        json.field("today", "\(report.today)")
        json.field("exit_status", Int(report.status))
        json.field("fault", orNull: report.fault)
        json.field("interrupted", report.isInterrupted)
        json.key("hosts")
        json.beginArray()
        for host in report.hosts { write(host, to: &json) }
        json.endArray()
        json.key("timeline")
        json.beginArray()
        for event in report.timeline {
            json.beginObject()
            json.field("date", "\(event.date)")
            json.field("host", event.host)
            json.field("event", event.event)
            json.field("breaks", event.breaks)
            json.field("unclear", event.isUnclear)
            json.field("by_ca", event.isOfCA)
            json.endObject()
        }
        json.endArray()
        json.field("run", report.run)
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self) + "\n"
    }

    private static func write(_ host: RehearsalReport.Host, to json: inout JSONWriter) {
        json.beginObject()
        json.field("host", host.host)
        json.field("required", host.isRequired)
        json.field("fault", orNull: host.fault)
        json.key("scenarios")
        json.beginArray()
        for one in host.scenarios {
            json.beginObject()
            json.field("name", one.name)
            json.field("outcome", one.outcome.rawValue)
            json.field("why", one.why)
            json.field("by", one.basis.rawValue)
            json.field("own", one.isOwn)
            if let isProtected = one.isProtected { json.field("protected", isProtected) }
            json.endObject()
        }
        json.endArray()
        json.key("certificates")
        json.beginArray()
        for one in host.certificates {
            json.beginObject()
            json.field("chain", orNull: one.chain)
            json.field("role", one.role.rawValue)
            json.field("subject", one.subject)
            json.field("spki_sha256", one.key)
            json.field("not_after", "\(one.ends)")
            json.field("pinned", host.pins.contains { $0.key == one.key })
            json.endObject()
        }
        json.endArray()
        json.key("builds")
        json.beginArray()
        for one in host.builds {
            json.beginObject()
            json.field("name", one.name)
            json.field("by", (one.isSeen ? Rehearsed.Basis.seen : .pins).rawValue)
            json.field("pins", one.pins.sorted().map { "sha256/\($0)" })
            json.field("breaks", orNull: one.breaks.map { "\($0)" })
            json.field("unprotected", orNull: one.unprotected.map { "\($0)" })
            json.endObject()
        }
        json.endArray()
        json.endObject()
    }
}
