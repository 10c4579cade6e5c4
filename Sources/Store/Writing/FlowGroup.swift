import Facts
import Flows

/// What one batch says of one flow, in the order in which it has to be written.
struct FlowGroup {
    /// As it was last.
    var flow: Flow?
    var up: [UInt8] = []
    var down: [UInt8] = []
    var messages: [FlowMessage] = []
    var raw: [(direction: ExchangeDirection, bytes: [UInt8])] = []

    /// Groups by flow, in the order in which flows were first spoken of.
    static func groups(_ changes: [FlowChange]) -> [(id: Int64, group: FlowGroup)] {
        var groups: [(id: Int64, group: FlowGroup)] = []
        var places: [Int64: Int] = [:]
        func place(_ id: Int64) -> Int {
            if let place = places[id] { return place }
            groups.append((id, FlowGroup()))
            places[id] = groups.count - 1
            return groups.count - 1
        }
        for change in changes {
            switch change {
            case .flow(let flow): groups[place(flow.id)].group.flow = flow
            case .body(let id, .up, let bytes): add(bytes, to: &groups[place(id)].group.up)
            case .body(let id, .down, let bytes): add(bytes, to: &groups[place(id)].group.down)
            case .message(let id, let message): groups[place(id)].group.messages.append(message)
            case .raw(let id, let direction, let bytes):
                let place = place(id)
                if let last = groups[place].group.raw.indices.last,
                    groups[place].group.raw[last].direction == direction,
                    groups[place].group.raw[last].bytes.count + bytes.count <= BodyShelf.pieceSize
                {
                    groups[place].group.raw[last].bytes += bytes
                } else {
                    groups[place].group.raw.append((direction, bytes))
                }
            }
        }
        return groups
    }

    /// Most bodies come in one piece, which is not copied.
    private static func add(_ bytes: [UInt8], to all: inout [UInt8]) {
        if all.isEmpty { all = bytes } else { all += bytes }
    }

    func bytes(_ direction: ExchangeDirection) -> [UInt8] { direction == .up ? up : down }
}
