import Facts
import Testing
import Verdict

@testable import Report

@Suite struct GitHubAnnotationsTests {
    @Test("an error or a warning for each thing that is wrong, at its line, errors first")
    func lines() {
        let lines = GitHubAnnotations.lines(Samples.marked(Samples.mixed))
        #expect(
            lines.map { $0.prefix(while: { $0 != " " }) } == [
                "::error", "::error", "::error", "::warning", "::warning",
            ])
        #expect(
            lines[0].hasPrefix(
                "::error file=pinning/release build.yaml,line=7,title=pinproof%3A not-pinned login.example.com::"
                    + "login.example.com, expected to refuse: not-pinned. it sent 412 bytes"))
        #expect(lines[0].contains("%0Awhat to do: Match the pins"))
        #expect(lines[3].hasPrefix("::warning file=pinning/release build.yaml,line=4,title=pinproof%3A evidence-cut::"))
    }

    @Test("a pass says nothing")
    func pass() { #expect(GitHubAnnotations.lines(Samples.marked(Samples.passed)).isEmpty) }

    @Test("what is waived or known is not told in every build")
    func borne() throws {
        var (waived, known) = (Samples.pinned, Samples.accepted)
        let finding = Finding(id: "weak-pin", severity: .error, fact: .run(.remark("it fits another host")))
        waived.findings = [finding]
        waived.findings[0].waived = .init(until: try #require(CalendarDate("2027-01-31")), reason: "x")
        known.findings = [finding]
        known.findings[0].isKnown = true
        let judgement = Judgement(result: .pass, hosts: [waived, known])
        #expect(GitHubAnnotations.lines(Samples.marked(judgement)).isEmpty)
    }

    @Test("of more than GitHub shows the last line says how many are left")
    func many() {
        let hosts = (1...25).map { number in
            var host = Samples.leaking
            (host.host, host.findings) = ("h\(number).example.com", [])
            return host
        }
        let lines = GitHubAnnotations.lines(Samples.marked(Judgement(result: .fail, hosts: hosts)))
        #expect(lines.count == 10)
        #expect(lines.last?.contains("16 more errors") == true)
    }

    @Test("a result that no host explains is told as well")
    func unexplained() {
        let judgement = Judgement(result: .inconclusive, hosts: [Samples.pinned])
        #expect(GitHubAnnotations.lines(Samples.input(judgement)).map { $0.hasPrefix("::error") } == [true])
    }

    @Test("no text from outside begins a command of its own or a property", arguments: Samples.texts.indices)
    func hostile(_ index: Int) {
        for line in GitHubAnnotations.lines(Samples.hostileInput(index)) {
            #expect(line.hasPrefix("::error ") || line.hasPrefix("::warning "))
            #expect(line.unicodeScalars.allSatisfy { $0.isPrintable })
            let properties = line.dropFirst(2).split(separator: "::", maxSplits: 1)[0]
            #expect(properties.split(separator: ",").count <= 3)
        }
    }
}
