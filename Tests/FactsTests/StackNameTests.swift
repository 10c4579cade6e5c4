import Testing

@testable import Facts

@Suite("Names of stacks")
struct StackNameTests {
    @Test("one name is told, candidates are told as such, and nothing is nothing")
    func words() {
        #expect(StackName.words([]) == nil)
        #expect(StackName.words([.openssl]) == "OpenSSL")
        #expect(StackName.words([.boringssl, .dart]) == "dart:io (Flutter) or another on BoringSSL")
        #expect(StackName.words([.jsse, .go]) == "JSSE (Java) or Go")
    }

    @Test("a base stands on nothing itself")
    func bases() { for name in StackName.allCases { #expect(name.base?.base == nil) } }

    @Test("a name of a later version is read as none")
    func later() throws {
        var seen = Observation(connection: 1)
        seen.hello = HelloFacts(likelyStacks: [.openssl, .go])
        let line = String(
            decoding: EvidenceLine.encode(.connection(seen), prev: EvidenceLine.noPrevious), as: UTF8.self)
        let later = line.replacing(#"["openssl","go"]"#, with: #"["openssl","goes"]"#)
        #expect(later != line)
        guard let read = try EvidenceLine.decode(Array(later.utf8)).record.observation else {
            Issue.record("no connection")
            return
        }
        #expect(read.hello?.likelyStacks == [.openssl])
    }
}
