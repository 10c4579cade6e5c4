import Facts
import Pins

/// A rehearsal as one page that needs nothing else: light, dark, and on a phone.
package struct HTMLRehearsalPage {
    private let report: RehearsalReport

    package init(_ report: RehearsalReport) { self.report = report }

    package var bytes: [UInt8] { Array(page.source.utf8) }

    private var page: HTMLText {
        var out: HTMLText = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        out +=
            "<title>\(report.build): rehearsal</title>\n<style>\n\(HTMLStyle.css)\(Self.css)\n</style>\n</head>\n<body>\n"
        out += banner
        for host in report.hosts { out += section(host) }
        out += timeline
        out +=
            "<footer><p class=\"quiet\">From the run <code>\(report.run)</code>, on \("\(report.today)").</p></footer>\n"
        return out + "</body>\n</html>\n"
    }

    private var banner: HTMLText {
        let tone: HTMLText =
            switch report.status {
            case 0: "pass"
            case 1: ""
            default: "inconclusive"
            }
        var out: HTMLText =
            "<header class=\"banner \(tone)\">\n<p class=\"product\">pinproof <span>rehearsal</span></p>\n"
        out += "<h1><strong>\(report.headline)</strong>\(report.build)</h1>\n"
        if let fault = report.fault { out += "<p>\(fault)</p>\n" }
        return out + "</header>\n"
    }

    private func section(_ host: RehearsalReport.Host) -> HTMLText {
        var out: HTMLText = "<section>\n<h2><span class=\"name\">\(host.host)</span></h2>\n"
        if let fault = host.fault { return out + "<p>\(fault)</p>\n</section>\n" }
        out += "<table class=\"verdicts\" role=\"table\">\n<thead role=\"rowgroup\"><tr role=\"row\">"
        out += "<th role=\"columnheader\">Outcome</th><th role=\"columnheader\">Chain</th>"
        out += "<th role=\"columnheader\">Why</th></tr></thead>\n<tbody role=\"rowgroup\">\n"
        for one in host.scenarios {
            out += "<tr role=\"row\" class=\"\(tone(one.outcome))\"><td role=\"cell\">"
            out += "<span class=\"badge\">\(one.outcome.rawValue)</span></td>"
            out += "<th role=\"rowheader\">\(one.name)\(one.isOwn ? HTMLText("<br><small>your own</small>") : "")</th>"
            out += "<td role=\"cell\">\(one.why)</td></tr>\n"
        }
        return out + "</tbody>\n</table>\n</section>\n"
    }

    private func tone(_ outcome: Rehearsed.Outcome) -> HTMLText {
        switch outcome {
        case .works: "good"
        case .lockedOut: "bad"
        case .unclear: "open"
        }
    }

    private var timeline: HTMLText {
        guard !report.timeline.isEmpty else { return "" }
        var out: HTMLText = "<section>\n<h2>Timeline</h2>\n<ul class=\"hosts\">\n"
        for event in report.timeline {
            out += "<li><strong>\("\(event.date)")</strong> <span class=\"name\">\(event.host)</span>: \(event.event)"
            if let words = event.consequence {
                out += "; "
                out += event.breaks.isEmpty ? "\(words)" : "<strong class=\"bad\">\(words)</strong>"
            }
            out += "</li>\n"
        }
        out += "</ul>\n"
        for host in report.hosts where !host.certificates.isEmpty { out += picture(host) }
        return out + "</section>\n"
    }

    private func picture(_ host: RehearsalReport.Host) -> HTMLText {
        let picture = TimelinePicture(host, report.timeline, from: report.today)
        var out: HTMLText =
            "<h3><span class=\"name\">\(host.host)</span> <small>\("\(picture.from)") to \("\(picture.until)")"
        out += "</small></h3>\n<dl class=\"bars\">\n"
        for bar in picture.bars {
            let width = Int((bar.length * 100).rounded())
            out += "<div><dt>\(bar.certificate.title)\(bar.isPinned ? HTMLText(" <b>pinned</b>") : "")</dt>"
            out += "<dd><i class=\"\(bar.isPinned ? HTMLText("pinned") : "")\" style=\"width: \(width)%\"></i>"
            out += "<small>\("\(bar.certificate.ends)") \(bar.certificate.subject)"
            if !bar.builds.isEmpty { out += "; pinned by \(bar.builds.joined(separator: ", "))" }
            out += "</small></dd></div>\n"
        }
        for pin in picture.spare {
            out += "<div><dt>a pin of no chain here</dt><dd><code>sha256/\(pin)</code></dd></div>\n"
        }
        for (event, place) in picture.marks {
            out +=
                "<div><dt>CA event</dt><dd><i class=\"mark\" style=\"margin-left: \(Int((place * 100).rounded()))%\"></i>"
            out += "<small>\("\(event.date)") \(event.event)</small></dd></div>\n"
        }
        for bar in picture.builds {
            let width = Int((bar.length * 100).rounded())
            out += "<div><dt>build \(bar.build.name)</dt>"
            out +=
                "<dd><i class=\"build\" style=\"width: \(width)%\"></i><small>\(Self.words(bar, from: report.today))</small></dd></div>\n"
        }
        return out + "</dl>\n"
    }

    private static func words(_ bar: TimelinePicture.BuildBar, from today: CalendarDate) -> String {
        let rest = bar.build.isSeen ? "" : " (by the pins of its files)"
        if let day = bar.build.breaks, day <= today {
            return "locked out already: the chain of today fits none of its pins\(rest)"
        }
        if let day = bar.build.breaks { return "locked out from \(day) on, if a new key comes then\(rest)" }
        if let day = bar.build.unprotected { return "works, and is not protected from \(day) on\(rest)" }
        return "works as far as is known\(rest)"
    }

    private static let css: HTMLText = """

        h3 { margin-top: 1.4rem; }
        .bars { display: grid; gap: .5rem; margin: .6rem 0 1.6rem; }
        .bars div { display: grid; grid-template-columns: 14rem 1fr; gap: .2rem 1rem; }
        .bars dd { min-width: 0; }
        .bars i { display: block; height: .7rem; min-width: 2px; border-radius: .2rem; background: var(--quiet); margin-top: .25rem; }
        .bars i.pinned { background: var(--link); }
        .bars i.mark { width: 2px; height: 1.1rem; border-radius: 0; background: var(--bad); }
        .bars i.build { background: var(--good, var(--link)); }
        .bars b { color: var(--link); font-weight: 600; }
        strong.bad { color: var(--bad); }
        @media (max-width: 44rem) { .bars div { grid-template-columns: 1fr; } }
        """
}
