import Loop
import Testing

@testable import Proxy

@Suite("how many clients are served at once")
struct ConnectionBudgetTests {
    @Test("each has a descriptor for itself and one for its origin, beside what is open and what comes and goes")
    func fromDescriptors() {
        #expect(ConnectionBudget(descriptors: 1024, inUse: 20).limit == 490)
        #expect(ConnectionBudget(descriptors: 47, inUse: 20).limit == 1)
        #expect(ConnectionBudget(descriptors: 1024, inUse: 20, others: 200).limit == 390)
        // One client is served, whatever the system allows.
        #expect(ConnectionBudget(descriptors: 16, inUse: 20).limit == 1)
    }

    @Test("a place is free again as soon as nobody holds it")
    func places() throws {
        let budget = ConnectionBudget(limit: 2)
        let first = try #require(budget.take())
        var second = budget.take()
        #expect(second != nil)
        #expect(budget.take() == nil)
        second = nil
        second = budget.take()
        #expect(second != nil)
        withExtendedLifetime(first) { #expect(budget.take() == nil) }
        withExtendedLifetime(second) {}
    }

    @Test("who found no place is called once when one becomes free, and nobody who did not ask")
    func whenFree() throws {
        let budget = ConnectionBudget(limit: 1)
        let calls = Locked(0)
        budget.whenFree { calls.withLock { $0 += 1 } }
        _ = budget.take()
        #expect(calls.withLock { $0 } == 0, "nobody waited")
        do {
            let place = budget.take()
            #expect(budget.take() == nil && budget.take() == nil)
            withExtendedLifetime(place) {}
        }
        #expect(calls.withLock { $0 } == 1)
        _ = budget.take()
        #expect(calls.withLock { $0 } == 1)
    }
}
