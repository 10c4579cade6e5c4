import Facts
import Flows
import Testing

@testable import Store

@Suite struct ChangeQueueTests {
    private func body(_ flow: Int64, _ size: Int) -> FlowChange {
        .body(flow: flow, .up, [UInt8](repeating: 1, count: size))
    }

    @Test("whoever is behind takes what has come in pieces, in its order, and each byte once")
    func pieces() {
        var queue = ChangeQueue()
        let told = (0..<40).map { body($0, 1 << 20) }
        for change in told { _ = queue.add([change]) }
        #expect(queue.size == 40 << 20)
        var taken: [FlowChange] = []
        while !queue.isEmpty {
            let batch = queue.take()
            #expect(batch.changes.count == 4)
            taken += batch.changes
        }
        #expect(taken == told)
        #expect(queue.size == 0 && queue.take().isEmpty && queue.dropped.isEmpty)
    }

    @Test("whoever waits for what has come until now waits for no more than that")
    func begunAndTaken() {
        var queue = ChangeQueue()
        #expect(queue.begun == 0 && queue.taken == 0)
        for number in 0..<12 { _ = queue.add([body(Int64(number), 1 << 20)]) }
        let mark = queue.begun
        #expect(mark == 3)
        for number in 12..<40 { _ = queue.add([body(Int64(number), 1 << 20)]) }
        for _ in 0..<3 { _ = queue.take() }
        #expect(queue.taken == mark && !queue.isEmpty && queue.begun == 10)
        // What could not be written is waited for again.
        queue.putBack(queue.take())
        #expect(queue.taken == mark)
        queue.refuseAll()
        #expect(queue.taken == queue.begun && queue.take().isEmpty && queue.taken == 10)
    }

    @Test("a batch that could not be written comes first again")
    func putBack() {
        var queue = ChangeQueue()
        for id in Int64(0)..<8 { _ = queue.add([body(id, 1 << 20)]) }
        let first = queue.take()
        queue.putBack(first)
        #expect(queue.size == 8 << 20)
        #expect(queue.take().changes == first.changes)
        #expect(queue.take().changes.first == body(4, 1 << 20))
    }

    @Test("flows whose change found no room are told behind those that did, and all that is refused is counted")
    func full() {
        var queue = ChangeQueue()
        for id in Int64(0)..<48 { _ = queue.add([body(id, 1 << 20)]) }
        _ = queue.add([body(99, 1)])
        #expect(queue.dropped == DroppedCount(bytes: 1))
        var flow = Samples.flow(1, url: String(repeating: "u", count: 1 << 20))
        flow.state = .open
        for _ in 0..<17 { _ = queue.add([.flow(flow)]) }
        #expect(queue.dropped.flows == 1)
        queue.refuseAll()
        #expect(queue.isEmpty && queue.size == 0)
        #expect(queue.dropped.bytes == (48 << 20) + 1)
    }
}
