import GRDB
import Loop
import Testing

@testable import Store

@Test("whoever waits for what was told waits on where somebody else holds the file for long")
func waitingForBusyFile() throws {
    let passes = Locked(0)
    let holder = Locked<DatabaseQueue?>(nil)
    let test = try StoreUnderTest(gate: {
        // The second time, the first batch has come back: the writer had waited for as long as it does.
        guard
            passes.withLock({
                $0 += 1; return $0
            }) == 2
        else { return }
        holder.withLock { $0.map { held in try? held.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") } } }
    })
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: test.path, configuration: configuration)
    holder.withLock { $0 = other }
    try other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    test.record(.flow(Samples.flow(1)))
    #expect(try test.store.flow(1) != nil)
    #expect(passes.withLock { $0 } == 2)
    test.close()
    try other.close()
}
