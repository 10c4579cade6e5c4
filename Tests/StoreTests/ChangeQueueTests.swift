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

    @Test("a flow counts with all of its heads, trailers and interim ones as well")
    func heads() {
        let fields = [HeaderField("x", String(repeating: "a", count: 1000))]
        func size(_ change: (inout Flow) -> Void) -> Int {
            var flow = Samples.flow(1)
            (flow.request, flow.response) = (FlowSide(), FlowSide())
            change(&flow)
            var queue = ChangeQueue()
            _ = queue.add([.flow(flow)])
            return queue.size
        }
        let bare = size { _ in }
        for change: (inout Flow) -> Void in [
            { $0.request?.headers = fields }, { $0.response?.trailers = fields },
            { $0.response?.informational = [.init(status: 103, headers: fields)] },
            { $0.tags = [String(repeating: "t", count: 1000)] },
        ] {
            #expect(size(change) >= bare + 1000)
        }
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
        // The last one would hold more than was left beside it.
        #expect(queue.dropped == DroppedCount(bytes: 1 << 20) && queue.size == 47 << 20)
        var flow = Samples.flow(1, url: String(repeating: "u", count: 1 << 20))
        flow.state = .open
        for id in Int64(100)..<117 {
            flow.id = id
            _ = queue.add([.flow(flow)])
        }
        // A head as large as this needs four times as much that is free.
        #expect(queue.dropped.flows == 4)
        queue.refuseAll()
        #expect(queue.isEmpty && queue.size == 0)
        #expect(queue.dropped.bytes == 48 << 20)
    }

    @Test(
        "a flow that loses something in each of many batches is counted once, and a message that has no room at all as one"
    )
    func once() {
        var queue = ChangeQueue(batchSize: 1 << 20)
        var flow = Samples.flow(1, url: String(repeating: "u", count: 40 << 20))
        flow.state = .open
        for id in Int64(1000)..<1062 { _ = queue.add([body(id, 1 << 20)]) }
        for _ in 0..<3 {
            _ = queue.add([.flow(flow)])
            // Another batch begins.
            _ = queue.take()
            _ = queue.add([body(2000, 1 << 20)])
        }
        #expect(queue.dropped.flows == 1)
        _ = queue.add([.flow(Samples.flow(2, url: String(repeating: "u", count: 60 << 20)))])
        #expect(queue.dropped.flows == 2)
    }

    @Test("a connection that floods loses of its own, and the others nothing")
    func flood() {
        var queue = ChangeQueue()
        func flow(_ id: Int64, _ connection: UInt64?) -> Flow {
            var flow = Samples.flow(id, url: "https://flood.test/" + String(repeating: "u", count: 1000))
            flow.connection = connection
            return flow
        }
        for id in Int64(0)..<100_000 { _ = queue.add([.flow(flow(id, 1))]) }
        let flooded = queue.dropped.flows
        #expect(flooded > 50_000 && queue.size <= ChangeQueue.limit / 2 + 8192)
        // Twenty more of them leave room too, also to those that belong to no connection.
        for id in Int64(100_000)..<300_000 { _ = queue.add([.flow(flow(id, 2 + UInt64(id % 20)))]) }
        let before = queue.dropped
        for id in Int64(300_000)..<300_200 {
            _ = queue.add([
                .body(flow: id, .down, [UInt8](repeating: 1, count: 1000)), .flow(flow(id, UInt64(id))),
                .flow(flow(id + 1000, nil)),
            ])
        }
        #expect(queue.dropped.flows == before.flows)
        // Once it is taken, the first one has its room again.
        while !queue.isEmpty { _ = queue.take() }
        #expect(queue.size == 0)
        let last = queue.dropped.flows
        for id in Int64(400_000)..<405_000 { _ = queue.add([.flow(flow(id, 1))]) }
        #expect(queue.dropped.flows == last)
    }

    @Test("ten that flood one after the other leave room for those that do not")
    func floodAfterFlood() {
        var queue = ChangeQueue()
        var flow = Samples.flow(1, url: "https://flood.test/" + String(repeating: "u", count: 1000))
        for number in UInt64(1)...10 {
            flow.connection = number
            for _ in 0..<20_000 {
                flow.id += 1
                _ = queue.add([.flow(flow)])
            }
        }
        let before = queue.dropped.flows
        #expect(before > 100_000 && queue.size < ChangeQueue.limit / 100 * 95)
        for number in UInt64(100)..<1100 {
            flow.connection = number
            flow.id += 1
            _ = queue.add([.flow(flow)])
        }
        #expect(queue.dropped.flows == before)
    }

    @Test("a head has room behind the many bytes of its own connection")
    func headBehindBytes() {
        var queue = ChangeQueue()
        for id in Int64(0)..<100 { _ = queue.add([body(id, 1 << 20)]) }
        var flow = Samples.flow(1)
        flow.connection = 7
        for id in Int64(200)..<260 {
            flow.id = id
            _ = queue.add([body(id, 1 << 20), .flow(flow)])
        }
        // The last mebibyte of room, which somebody with much in it has no claim to.
        flow.connection = 8
        flow.url = "https://flood.test/" + String(repeating: "u", count: 10_000)
        for id in Int64(1000)..<3000 {
            flow.id = id
            _ = queue.add([.flow(flow)])
        }
        let dropped = queue.dropped.flows
        let before = queue.size
        (flow.id, flow.connection, flow.url) = (9999, 7, "https://api.test/")
        _ = queue.add([.flow(flow)])
        #expect(dropped > 0 && queue.dropped.flows == dropped && queue.size > before)
    }

    @Test("where heads pile up, bytes give way")
    func bytesGiveWay() {
        var queue = ChangeQueue()
        let flow = Samples.flow(1, url: "https://flood.test/" + String(repeating: "u", count: 1 << 20))
        for id in Int64(0)..<12 {
            var flow = flow
            flow.id = id
            _ = queue.add([.flow(flow)])
        }
        _ = queue.add([body(100, 1000)])
        #expect(queue.dropped == DroppedCount(bytes: 1000))
        while !queue.isEmpty { _ = queue.take() }
        _ = queue.add([body(100, 1000)])
        #expect(queue.dropped.bytes == 1000 && queue.size == 1000)
    }

    @Test("bytes are their connection's, whether its flow comes behind them or is open")
    func bytesOfConnections() {
        var queue = ChangeQueue()
        func open(_ id: Int64, _ state: Flow.State) -> FlowChange {
            var flow = Samples.flow(id)
            (flow.connection, flow.state) = (7, state)
            return .flow(flow)
        }
        _ = queue.add([open(1, .open)])
        for _ in 0..<24 { _ = queue.add([body(1, 1 << 20)]) }
        for id in Int64(2)..<26 { _ = queue.add([body(id, 1 << 20), open(id, .complete)]) }
        // One connection has half of what bodies may have.
        #expect((23 << 20)...(25 << 20) ~= queue.size)
        #expect((23 << 20)...(25 << 20) ~= queue.dropped.bytes)
        _ = queue.add([body(99, 1 << 20)])
        let taken = queue.take()
        #expect(!taken.isEmpty && queue.dropped.bytes <= 25 << 20)
    }
}
