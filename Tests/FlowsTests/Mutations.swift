import Facts

@testable import Flows

/// Numbers that are the same in every run (Knuth's MMIX generator).
struct FixedNumbers {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// Below `limit`.
    mutating func next(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(limit))
    }
}

/// Reads a conversation 20,000 times, each time with other bytes changed, taken out and left out, and cut elsewhere.
func mutate(
    _ turns: [(direction: ExchangeDirection, bytes: [UInt8])], alpn: String?, _ tools: DecodingTools, seed: UInt64
) {
    var numbers = FixedNumbers(seed: seed)
    for _ in 0..<3000 {
        var reader = ConnectionReader(alpn: alpn, tools: tools)
        var steps = ExchangeSteps()
        for (direction, bytes) in turns {
            var bytes = bytes
            if numbers.next(4) == 0, !bytes.isEmpty {
                bytes[numbers.next(bytes.count)] = UInt8(numbers.next(256))
                if numbers.next(4) == 0 { bytes.remove(at: numbers.next(bytes.count)) }
            }
            var rest = bytes[...]
            let piece = 1 + numbers.next(40)
            while !rest.isEmpty {
                reader.read(rest.prefix(piece), direction, &steps)
                rest = rest.dropFirst(piece)
            }
            if numbers.next(20) == 0 { reader.shed(numbers.next(20), direction, &steps) }
        }
        reader.end("closed", &steps)
        _ = steps.take()
    }
}
