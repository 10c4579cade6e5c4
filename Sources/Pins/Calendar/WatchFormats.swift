import Facts

extension WatchReport {
    /// `pinproof.watch/1`; ends with a line feed.
    package var json: [UInt8] {
        var json = JSONWriter(layout: .indented, reserving: 512 * events.count)
        json.beginObject()
        json.field("schema", "pinproof.watch/1")
        json.field("today", today.description)
        json.field("days", days)
        json.field("due", isDue)
        HostProblem.write(problems, to: &json)
        json.key("events")
        json.beginArray()
        for event in events {
            json.beginObject()
            json.field("date", event.date.description)
            json.field("days_left", event.date.daysSince1970 - today.daysSince1970)
            json.field("kind", event.kind.rawValue)
            json.field("due", event.isDue)
            json.field("host", orNull: event.host)
            json.field("file", event.file)
            json.field("line", event.line)
            json.field("text", event.text)
            json.field("commands", event.commands, inline: false)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return json.bytes + [UInt8(ascii: "\n")]
    }

    /// A case for each event, which fails where somebody has to act; an error for each host of which nothing is known; one
    /// that passes where there is neither.
    package var junit: String {
        let cases =
            HostProblem.cases(problems)
            + events.map { event in
                let lines = ["\(event.file):\(event.line): \(event.text)"] + event.commands.map { "run: \($0)" }
                var test = JUnitXML.Case(
                    name: "\(event.date) \(event.kind.rawValue)\(event.host.map { " \($0)" } ?? "")",
                    classname: event.file)
                if event.isDue {
                    test.failure = JUnitXML.Failure(type: event.kind.rawValue, message: event.text, lines: lines)
                } else {
                    test.output = lines
                }
                return test
            }
        let quiet = JUnitXML.Case(name: "nothing within \(English.count(days, "day"))", classname: "pins")
        return JUnitXML(name: "pinproof pins watch", cases: cases.isEmpty ? [quiet] : cases).text
    }

    /// For a person, or the mail of a nightly job; ends with a line feed.
    package func text(width: Int) -> String {
        let width = max(40, width)
        // First: whatever follows is told without them.
        var lines = problems.flatMap { TextLines.hanging("not known: ", $0.line, width) }
        if !lines.isEmpty { lines.append("") }
        for event in events {
            lines += TextLines.hanging("\(event.date)  ", event.text, width)
            lines += TextLines.wrap("\(event.file):\(event.line)", width - 12).map { $0.indented(by: 12) }
            // A command stays on its line, so that it can be copied.
            lines += event.commands.map { Printable.escaped("run: \($0)").indented(by: 12) }
            lines.append("")
        }
        let due = events.count(where: \.isDue)
        let sums =
            due == 0
            ? "nothing to do within \(English.count(days, "day"))\(problems.isEmpty ? "" : ", as far as is known")"
            : "\(English.count(due, "thing")) to do within \(English.count(days, "day"))"
        return (lines + [sums]).joined(separator: "\n") + "\n"
    }
}
