import Facts

/// A JUnit file of a few suites, as Jenkins and GitLab read it.
struct JUnitXML {
    struct Case {
        var name: String
        /// Groups cases: `pins.xml`.
        var classname: String
        /// Nil: passed.
        var failure: Failure?
        /// It could not be found out.
        var error: Failure?
        /// What is worth reading all the same.
        var output: [String] = []
    }

    struct Failure {
        var type: String
        var message: String
        var lines: [String]
    }

    var name: String
    var cases: [Case]

    var text: String {
        let failures = cases.count { $0.failure != nil }
        let errors = cases.count { $0.error != nil }
        let counts =
            "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"\(errors)\" skipped=\"0\" time=\"0\""
        var xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"pinproof\" \(counts)>\n"
        xml += "  <testsuite name=\"\(Self.escaped(name))\" \(counts)>\n"
        for test in cases { xml += Self.xml(test) }
        return xml + "  </testsuite>\n</testsuites>\n"
    }

    private static func xml(_ test: Case) -> String {
        let head =
            "    <testcase classname=\"\(escaped(test.classname))\" name=\"\(escaped(test.name))\" time=\"0\""
        guard test.failure != nil || test.error != nil || !test.output.isEmpty else { return head + "/>\n" }
        var xml = head + ">\n"
        for (element, fault) in [("error", test.error), ("failure", test.failure)] {
            guard let fault else { continue }
            xml += "      <\(element) type=\"\(escaped(fault.type))\" message=\"\(escaped(fault.message))\">"
            xml += fault.lines.map(escaped).joined(separator: "\n") + "</\(element)>\n"
        }
        if !test.output.isEmpty {
            xml += "      <system-out>\(test.output.map(escaped).joined(separator: "\n"))</system-out>\n"
        }
        return xml + "    </testcase>\n"
    }

    /// What XML 1.0 cannot hold at all is among what `Printable` writes as `\u{…}`.
    static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in Printable.escaped(text).unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            case "'": out += "&apos;"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
