import Facts
import Policy
import Testing
import Verdict

@testable import Report

/// The same host on two clients, with two verdicts.
private let farm: ReportInput = {
    var (first, second) = (Samples.pinned, Samples.leaking)
    second.host = first.host
    first.client = "pixel-8"
    second.client = "tablet"
    var input = Samples.input(
        Judgement(
            result: .fail, hosts: [first, second],
            clients: [ClientResult(client: "pixel-8", result: .pass), ClientResult(client: "tablet", result: .fail)]))
    input.profile = "farm"
    return input
}()

@Suite struct ClientsTests {
    @Test("report.json says whose each verdict is, and what each client came to")
    func json() {
        let text = String(decoding: JSONReport.bytes(farm), as: UTF8.self)
        #expect(text.contains(#""host": "pay.example.com","# + "\n" + #"      "client": "pixel-8","#))
        #expect(text.contains(#"{"client": "tablet", "result": "fail"}"#))
        let alone = String(decoding: JSONReport.bytes(Samples.input(Samples.mixed)), as: UTF8.self)
        #expect(!alone.contains("client\""), "without clients the report is as it was")
        #expect(!alone.contains("\"clients\""))
    }

    @Test("the table names the client below its host, and in what is to be done")
    func table() {
        let text = TableReport().text(farm)
        #expect(text.contains("on pixel-8") && text.contains("on tablet"))
        #expect(text.contains("pay.example.com (tablet)"))
        #expect(text.contains("clients  pixel-8 pass, tablet fail"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= TableReport.widest })
    }

    @Test("JUnit has a class for each client, so that two cases are never one")
    func junit() {
        let text = JUnitReport.text(farm)
        #expect(
            text.contains("<testcase classname=\"farm.pixel-8\" name=\"pay.example.com expect refuse\" time=\"0.0\">"))
        #expect(
            text.contains("<testcase classname=\"farm.tablet\" name=\"pay.example.com expect refuse\" time=\"0.0\">"))
    }

    @Test("Markdown, HTML and SARIF name the client")
    func others() {
        let markdown = MarkdownReport.text(farm)
        #expect(markdown.contains("<code>pay.example.com</code>, tablet") && markdown.contains("Clients: pixel-8 pass"))
        let html = HTMLReport.text(farm)
        #expect(html.contains("<small>tablet</small>") && html.contains("pixel-8 pass, tablet fail"))
        let sarif = String(decoding: SARIFReport.bytes(farm), as: UTF8.self)
        #expect(sarif.contains("not-pinned@pay.example.com (tablet)"))
        #expect(sarif.contains("pay.example.com (tablet), expected to refuse"))
    }
}
