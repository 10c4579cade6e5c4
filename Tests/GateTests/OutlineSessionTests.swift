import Console
import Facts
import Loop
import Support
import Testing

@testable import Gate

@Test("a plan is printed without a CA, a folder or a run; a profile that cannot be used is an error as ever")
func printsAlone() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/p.yaml"
    try Files.writeAtomically("version: 1\nhosts: { api.test: { expect: refuse } }\n".utf8, to: path)
    let printed = Locked("")
    let said = Locked("")
    let console = Console(
        isTerminal: false, errors: { text in said.withLock { $0 += text } },
        results: { text in printed.withLock { $0 += text } })
    var options = GateOptions(profile: path, listen: Endpoint(try #require(HostName("127.0.0.1")), 0))
    options.ca = .folder(folder.path + "/ca")
    options.attacks = ["quick"]
    options.coldStarts = 2
    #expect(try OutlineSession(options, console: console).run() == .pass)
    #expect(printed.withLock { $0 }.contains("2 of them under trusted-ca"))
    #expect(!Files.exists(folder.path + "/ca"))
    // Before a run of COMMAND is spent on it.
    #expect(said.withLock { $0 }.contains("a refusal by api.test ends unproven: name under `controls`"))
    // By hand a person goes through phases, and fewer of them unless more are asked for.
    #expect(printed.withLock { $0.contains(" phases where all is refused") && !$0.contains("COMMAND") })
    options.attacks = nil
    #expect(try options.attackSelection(for: sampleProfile()) == .set(.quick))
    printed.withLock { $0 = "" }
    options.command = ["true"]
    #expect(try options.attackSelection(for: sampleProfile()) == .set(.standard))
    #expect(try OutlineSession(options, console: console).run() == .pass)
    #expect(printed.withLock { $0 }.contains(" runs of COMMAND where all is refused"))
    options.attacks = ["nonsense"]
    #expect(throws: (any Error).self) { try OutlineSession(options, console: console).run() }
}
