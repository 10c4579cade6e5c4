import Facts

extension RunComparison {
    /// `"against": {…}` of report.json.
    func write(to json: inout JSONWriter) {
        json.key("against")
        json.beginObject()
        json.field("run", before.run)
        json.field("result", before.result.rawValue)
        json.field("started", before.started)
        json.field("worse", count(.worse))
        json.field("better", count(.better))
        json.key("changes")
        json.beginArray()
        for change in changes {
            json.beginObject(inline: true)
            json.field("host", orNull: change.host.isEmpty ? nil : change.host)
            json.field("what", change.what)
            json.field("before", change.before)
            json.field("after", change.after)
            json.field("turn", orNull: change.turn?.rawValue)
            json.endObject()
        }
        json.endArray()
        json.endObject()
    }
}

/// A comparison in `report.md`.
enum MarkdownComparison {
    static func section(_ comparison: RunComparison) -> MarkdownText {
        var out: MarkdownText = "\n### What changed\n\nSince <code>\(comparison.before.run)</code> "
        out += "(\(comparison.before.result.rawValue), \(comparison.before.started)): \(comparison.summary).\n"
        guard !comparison.changes.isEmpty else { return out }
        out += "\n| | Host | What | Before | After |\n|---|---|---|---|---|\n"
        for change in comparison.changes {
            let mark = change.turn.map { $0 == .worse ? "▼ worse" : "▲ better" } ?? ""
            let host: MarkdownText = change.host.isEmpty ? "the run" : "<code>\(change.host)</code>"
            out += "| \(mark) | \(host) | \(change.what) | \(change.before) | \(change.after) |\n"
        }
        return out
    }
}

/// A comparison in `report.html`.
enum HTMLComparison {
    static func section(_ comparison: RunComparison) -> HTMLText {
        var out: HTMLText = "<section aria-labelledby=\"changes\">\n<h2 id=\"changes\">What changed</h2>\n"
        out += "<p>Since <code>\(comparison.before.run)</code> (\(comparison.before.result.rawValue), "
        out += "\(comparison.before.started)): \(comparison.summary).</p>\n"
        for group in comparison.groups {
            out += "<h3>\(group.host.isEmpty ? "The run as a whole" : HTMLReport.breakable(group.host))</h3>\n"
            out += "<ul class=\"changes\">\n"
            for change in group.changes {
                out += "<li class=\"\(change.turn.map { $0 == .worse ? "bad" : "good" } ?? "")\">"
                if let turn = change.turn { out += "<strong>\(turn == .worse ? "▼" : "▲") \(turn.rawValue)</strong> " }
                out += "\(change.what): \(change.before.isEmpty ? "none" : change.before) → "
                out += "\(change.after.isEmpty ? "none" : change.after)</li>\n"
            }
            out += "</ul>\n"
        }
        return out + "</section>\n"
    }
}
