import Facts
import Policy
import Testing

@testable import Proxy

private func memory() throws -> TrialMemory {
    try TrialMemory(Plan(profile: Profile(name: "p"), phase: .passthrough))
}

private func host(_ text: String = "api.test", of client: String? = nil) throws -> TrialMemory.Visit {
    TrialMemory.Visit(client: client, host: try #require(HostName(text)))
}

@Test("without an onset nothing is spared, and nothing is remembered")
func atOnce() throws {
    let memory = try memory()
    for _ in 0..<3 { #expect(!memory.spares(try host(), until: .atOnce, now: 0)) }
    #expect(memory.spares(try host(), until: .afterSeconds(2), now: 100))
}

@Test(
    "the first connections of each host are spared, and all after them attacked, however quickly they come",
    arguments: [1, 2])
func firstOnes(count: Int) throws {
    let memory = try memory()
    let onset = Conduct.Onset.afterConnections(count)
    for _ in 0..<count { #expect(memory.spares(try host(), until: onset, now: 0)) }
    for _ in 0..<3 { #expect(!memory.spares(try host(), until: onset, now: 0)) }
    #expect(memory.spares(try host("b.test"), until: onset, now: 10))
}

@Test("one connection alone is attacked, by its place among the hellos of its host and client", arguments: [1, 2, 16])
func oneAlone(place: Int) throws {
    let memory = try memory()
    let spared = try (1...20).map { _ in memory.spares(try host(), until: .only(place), now: 0) }
    #expect(spared.enumerated().filter { !$0.element }.map { $0.offset + 1 } == [place])
    #expect(memory.spares(try host(of: "phone"), until: .only(place), now: 0) == (place != 1))
}

@Test("an outage is as many connections long as it says, however they come", arguments: [1, 3])
func outage(count: Int) throws {
    let memory = try memory()
    let onset = Conduct.Onset.afterOutage(.reset, count)
    for _ in 0..<count { #expect(memory.spares(try host(), until: onset, now: 0)) }
    #expect(!memory.spares(try host(), until: onset, now: 0))
    #expect(memory.spares(try host("b.test"), until: onset, now: 10))
}

@Test("until one that has worked was closed, all are spared, however many are open beside it")
func afterACut() throws {
    let memory = try memory()
    for _ in 0..<3 { #expect(memory.spares(try host(), until: .afterCut(.end), now: 0)) }
    memory.wasCut(try host())
    for _ in 0..<2 { #expect(!memory.spares(try host(), until: .afterCut(.end), now: 1)) }
    #expect(memory.spares(try host("b.test"), until: .afterCut(.end), now: 1))
    // A host that never came was never cut.
    memory.wasCut(try host("c.test"))
    #expect(memory.spares(try host("c.test"), until: .afterCut(.end), now: 1))
}

@Test("all but one are attacked, for each host")
func allBut() throws {
    let memory = try memory()
    let spared = try (1...4).map { _ in memory.spares(try host(), until: .allBut(2), now: 0) }
    #expect(spared == [false, true, false, false])
    #expect(!memory.spares(try host("b.test"), until: .allBut(2), now: 0))
}

@Test("seconds count from the first connection of the host")
func seconds() throws {
    let memory = try memory()
    #expect(memory.spares(try host(), until: .afterSeconds(2), now: 50))
    #expect(memory.spares(try host(), until: .afterSeconds(2), now: 51.9))
    #expect(!memory.spares(try host(), until: .afterSeconds(2), now: 52))
    #expect(memory.spares(try host("b.test"), until: .afterSeconds(2), now: 52))
}

@Test("requests count over all tunnels of the host")
func requests() throws {
    let memory = try memory()
    let onset = Conduct.Onset.afterRequests(3)
    #expect(memory.spares(try host(), until: onset, now: 0))
    memory.requestsAnswered(try host(), 2)
    #expect(memory.spares(try host(), until: onset, now: 100))
    memory.requestsAnswered(try host(), 1)
    #expect(!memory.spares(try host(), until: onset, now: 100))
}

@Test("hosts beyond the limit are left alone, and cost nothing")
func limit() throws {
    let memory = try memory()
    for number in 0..<TrialMemory.hostLimit {
        #expect(memory.spares(try host("h\(number).test"), until: .afterConnections(1), now: 0))
    }
    for _ in 0..<3 {
        #expect(memory.spares(try host(), until: .afterConnections(1), now: 100))
        memory.sessionCarriedData(with: try host(), now: 0)
    }
    #expect(!memory.hasSession(with: try host()))
}

@Test("sessions are kept where a trial asks for it, and by host")
func sessions() throws {
    let memory = try memory()
    let (api, other) = (try host(), try host("b.test"))
    #expect(memory.resumable == nil && !memory.hasSession(with: api))
    memory.sessionCarriedData(with: api, now: 0)
    #expect(memory.hasSession(with: api) && !memory.hasSession(with: other))
    let resuming = Attack.resumedSession
    let plan = Plan(profile: Profile(name: "p"), phase: .attack(resuming, resuming.variants[0], only: []))
    #expect(try TrialMemory(plan).resumable?.kind == .resumable)
}
