import Report
import Testing

@Suite struct ReportFormatTests {
    @Test(
        "a list names each format once, in its order",
        arguments: [
            ("json,junit,markdown", [ReportFormat.json, .junit, .markdown]), ("html", [.html]),
            (" SARIF , json ,sarif", [.sarif, .json]), ("all", ReportFormat.allCases),
            ("html, All", [.html, .json, .junit, .sarif, .markdown, .gitlabCodeQuality, .gitlabSAST]),
            ("gitlab-SAST,gitlab-codequality", [.gitlabSAST, .gitlabCodeQuality]),
        ])
    func parsed(_ list: String, _ expected: [ReportFormat]) throws {
        #expect(try ReportFormat.parse(list: list) == expected)
    }

    @Test(
        "a wrong list says which name is wrong and which would be right",
        arguments: [
            ("json,xml", ReportError.unknownFormat("xml"), "unknown report format \"xml\""),
            ("allx", .unknownFormat("allx"), "unknown report format \"allx\""),
            ("json junit", .unknownFormat("json junit"), "unknown report format \"json junit\""),
            ("", .noFormat, "a report format is missing"), ("json,", .noFormat, "a report format is missing"),
            (" , ", .noFormat, "a report format is missing"),
            ("\u{1b}[2J", .unknownFormat("\u{1b}[2J"), #"unknown report format "\u{1b}[2J""#),
        ])
    func wrong(_ list: String, _ expected: ReportError, _ text: String) {
        let error = #expect(throws: ReportError.self) { try ReportFormat.parse(list: list) }
        #expect(error == expected)
        #expect(error?.description == text)
        #expect(
            error?.hints == [
                "the formats are json, junit, sarif, markdown, html, gitlab-codequality, gitlab-sast, and all"
            ])
    }

    @Test("every format has its file and ends with a newline", arguments: ReportFormat.allCases)
    func files(_ format: ReportFormat) {
        let bytes = format.render(Samples.input(Samples.mixed))
        #expect(bytes.last == UInt8(ascii: "\n") && bytes.dropLast().last != UInt8(ascii: "\n"))
        #expect(Set(ReportFormat.allCases.map(\.fileName)).count == ReportFormat.allCases.count)
    }

    @Test("a run that judged no host can be reported", arguments: ReportFormat.allCases)
    func empty(_ format: ReportFormat) {
        var input = Samples.input(.init(result: .invalid, hosts: [], fault: "the self-test failed"))
        input.selfTest = nil
        input.attacks = []
        input.runFolders = []
        #expect(String(decoding: format.render(input), as: UTF8.self).contains("he self-test failed"))
    }
}
