import Testing

@testable import Report
@testable import Verdict

@Suite struct HTMLReportTests {
    @Test(
        "the page is well formed as XML is, once void elements are closed", arguments: [Samples.mixed, Samples.passed])
    func wellFormed(_ judgement: Judgement) {
        #expect(Self.skeleton(HTMLReport.text(Samples.input(judgement))) != nil)
    }

    @Test(
        "no text from outside changes the page", arguments: Samples.texts.indices.filter { !Samples.texts[$0].isEmpty })
    func hostile(_ index: Int) throws {
        let page = HTMLReport.text(Samples.hostileInput(index))
        let xml = try #require(Self.skeleton(page))
        #expect(xml.shape == Self.skeleton(HTMLReport.text(Samples.plainInput))?.shape)
        #expect(!page.unicodeScalars.contains { !$0.isPrintable && $0 != "\n" })
    }

    @Test("nothing is loaded from elsewhere and nothing runs", arguments: Samples.texts.indices)
    func selfContained(_ index: Int) throws {
        let page = HTMLReport.text(Samples.hostileInput(index))
        #expect(page.contains("default-src 'none'"))
        for element in try #require(Self.skeleton(page)).elements {
            #expect(
                !["script", "img", "link", "iframe", "object", "form"].contains { element.path.hasSuffix("/\($0)") })
            #expect(element.attributes["href"]?.hasPrefix("#") != false)
            #expect(!element.attributes.keys.contains { $0.hasPrefix("on") || $0 == "src" || $0 == "style" })
        }
        #expect(!HTMLStyle.css.source.contains("url(") && !HTMLStyle.css.source.contains("@import"))
    }

    @Test("every link leads to a heading of the page, and ids are unique")
    func links() throws {
        let elements = try #require(Self.skeleton(HTMLReport.text(Samples.input(Samples.mixed)))).elements
        let ids = elements.compactMap { $0.attributes["id"] }
        #expect(Set(ids).count == ids.count)
        let targets =
            elements.compactMap { $0.attributes["href"]?.dropFirst() }
            + elements.compactMap { $0.attributes["aria-labelledby"]?[...] }
        #expect(targets.count > 10)
        for target in targets { #expect(ids.contains(String(target))) }
    }

    @Test("tables have headings for columns and rows")
    func tables() throws {
        let elements = try #require(Self.skeleton(HTMLReport.text(Samples.input(Samples.mixed)))).elements
        let headings = elements.filter { $0.path.hasSuffix("/th") }
        #expect(headings.allSatisfy { ["col", "row"].contains($0.attributes["scope"]) })
        let rows = elements.count { $0.path.hasSuffix("/tbody/tr") }
        #expect(headings.count { $0.attributes["scope"] == "row" } == rows)
    }

    @Test("the first page is for who decides, the second for who checks")
    func pages() throws {
        var input = Samples.marked(Samples.mixed)
        input.heads = [String(repeating: "9", count: 64)]
        let page = HTMLReport.text(input)
        let places = try [
            "id=\"release\"", "Do not ship this build", "build <strong>42</strong>", "id=\"audit\"", "Label commit",
            "shop.apk (31415926 bytes, SHA-256 cdcd", "Not tried in this run: ", "S2a assumes", "pinproof judge runs/",
            "<code>\(String(repeating: "9", count: 64))</code>", "id=\"verdicts\"",
        ].map { try #require(page.range(of: $0)?.lowerBound) }
        #expect(places == places.sorted())
    }

    @Test(
        "each result has its words for the release", arguments: [Judgement.Result.pass, .fail, .inconclusive, .invalid])
    func decisions(_ result: Judgement.Result) {
        let page = HTMLReport.text(Samples.input(Judgement(result: result, hosts: [Samples.pinned])))
        #expect(page.contains("may ship") == (result == .pass || result == .fail))
        #expect(page.contains("Do not ship") == (result == .fail || result == .inconclusive))
        #expect(page.contains("says nothing about the build") == (result == .invalid))
    }

    @Test("a pass names the optional hosts of which nothing is proven, and says what was required")
    func optional() {
        var option = Samples.unseen
        option.expect = .refuse
        let all = HTMLReport.text(Samples.input(Judgement(result: .pass, hosts: [Samples.pinned])))
        #expect(all.contains("every expectation of the profile is proven") && !all.contains("optional host"))
        let some = HTMLReport.text(Samples.input(Judgement(result: .pass, hosts: [Samples.pinned, option])))
        #expect(some.contains("every required expectation of the profile is proven"))
        #expect(some.contains("Of 1 optional host (*.cdn.example.com) nothing is proven."))
    }

    @Test("what a proof says on the first page is how much was tried, what it rests on, and what it leaves open")
    func proofs() {
        var host = Samples.pinned
        let words = HTMLReleasePage.meaning(host)
        #expect(
            words.hasPrefix(
                "refused each forged certificate that was tried (3 attacks, 3 cold starts: it accepts in at most 63% of starts, 95% bound), where a control"
            ),
            "\(words)")
        #expect(!words.contains("Caution"))
        host.findings = [
            Finding(
                id: "other-explanations", severity: .note,
                fact: .proof(
                    .otherExplanations(
                        FindingFact.Explanations(strength: .s2a, takers: [], unlike: [], deniesCA: true))))
        ]
        #expect(HTMLReleasePage.meaning(host).contains("Caution: it trusts other CAs here than the control does"))
        host.strength = .s2b
        #expect(HTMLReleasePage.meaning(host).contains("Caution: it trusts other CAs here than the other build does"))
    }

    @Test("the auditor's page takes for tried what the claims do, and not what was planned")
    func tried() throws {
        let page = HTMLReport.text(Samples.input(Judgement(result: .pass, hosts: [Samples.pinned])))
        let tried = try #require(page.range(of: "<h3>What was tried</h3>")).upperBound
        let planned = try #require(page.range(of: "Begun, and answered by no host")).lowerBound
        #expect(page[tried..<planned].contains("<code>expired</code>"))
        #expect(!page[tried..<planned].contains("<code>wrong-key</code>"))
        #expect(page[planned...].contains("has to refuse: wrong-key, smuggled-chain, other-host."))
        // Data under a lent key is what a proof rests on, and nothing that a host has to refuse.
        var input = Samples.input(Judgement(result: .pass, hosts: [Samples.pinned]))
        input.attacks = [.trustedCA, .untrustedCA, "expired", "lent-key"]
        #expect(!HTMLReport.text(input).contains("answered by no host"))
        // Where no host has to refuse, nothing was left unanswered.
        let accepting = HTMLReport.text(Samples.input(Judgement(result: .pass, hosts: [Samples.accepted])))
        #expect(!accepting.contains("answered by no host"))
        #expect(accepting.contains("<dt><code>trusted-ca</code></dt>"))
    }

    @Test("verdicts, reasons, evidence, claims and advice are all there")
    func content() {
        let page = HTMLReport.text(Samples.input(Samples.mixed))
        for words in [
            "fail – release – pinproof", "pay<wbr>.example<wbr>.com", "5, 11, 17-18", "2048 bytes up, 40960 down",
            "This build, in this journey", "Not tried: wrong-key", "name under <code>controls:</code>",
            "signed by the CA the tester installed", "certificate_unknown 3", "pin-on-presented-chain",
            "runs/20260101T000000Z-release", "at most 63%",
        ] { #expect(page.contains(words), "\(words)") }
    }

    /// The page through an XML parser. `<wbr>` depends on how many dots a host has, so it is left out.
    private static func skeleton(_ page: String) -> XMLSkeleton? {
        var text = page
        text.replace("<!DOCTYPE html>\n", with: "")
        text.replace("<wbr>", with: "")
        var out = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            out += line.hasPrefix("<meta ") ? "\(line.dropLast())/>\n" : "\(line)\n"
        }
        return XMLSkeleton(out)
    }
}
