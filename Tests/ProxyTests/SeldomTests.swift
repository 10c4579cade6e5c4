import Testing

@testable import Proxy

@Suite("What few connections have")
struct SeldomTests {
    private struct Holder {
        @Seldom var value: [Int]?
    }

    private struct Refused: Error {}

    private func add(_ number: Int, to numbers: inout [Int]?, refuse: Bool = false) throws {
        numbers = (numbers ?? []) + [number]
        if refuse { throw Refused() }
    }

    @Test("what was put in before an error stays, as in any other variable")
    func thrown() throws {
        var holder = Holder()
        #expect(throws: Refused.self) { try add(1, to: &holder.value, refuse: true) }
        #expect(holder.value == [1])
        #expect(throws: Refused.self) { try add(2, to: &holder.value, refuse: true) }
        #expect(holder.value == [1, 2])
    }

    @Test("what is taken out is gone")
    func taken() throws {
        var holder = Holder(value: [1])
        holder.value?.append(2)
        #expect(holder.value == [1, 2])
        holder.value = nil
        #expect(holder.value == nil)
        try add(3, to: &holder.value)
        #expect(holder.value == [3])
    }
}
