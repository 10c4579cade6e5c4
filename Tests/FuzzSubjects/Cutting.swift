import Facts

/// The input of a subject that reads one direction: its first byte says how the rest is cut.
///
/// 0 cuts it into single bytes; any other number is the seed of pieces between 1 and 64 bytes.
struct CutInput {
    let bytes: [UInt8]
    let pieces: [ArraySlice<UInt8>]

    init(_ input: [UInt8]) {
        bytes = Array(input.dropFirst())
        pieces = Self.cut(bytes[...], seed: input.first ?? 0)
    }

    static func cut(_ bytes: ArraySlice<UInt8>, seed: UInt8) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var state = UInt32(seed)
        var rest = bytes
        while !rest.isEmpty {
            // Numerical Recipes' generator: any will do, as long as the same input is cut alike.
            state = state &* 1_664_525 &+ 1_013_904_223
            let size = seed == 0 ? 1 : 1 + Int(state >> 26)
            pieces.append(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        return pieces
    }
}

/// The input of a subject that reads a conversation.
///
/// The first byte says how each turn is cut, and the second is the subject's own. The client speaks first; F5 F7, which no text
/// has, gives the other side the word.
struct TalkInput {
    struct Turn {
        var direction: ExchangeDirection
        var bytes: ArraySlice<UInt8>
    }

    let choice: UInt8
    let turns: [Turn]
    /// The same, with each turn in pieces.
    let pieces: [Turn]

    init(_ input: [UInt8]) {
        let seed = input.first ?? 0
        choice = input.dropFirst().first ?? 0
        var turns: [Turn] = []
        var direction = ExchangeDirection.up
        var rest = input.dropFirst(2)
        while let end = rest.indices.first(where: { Self.isMark(rest, at: $0) }) {
            turns.append(Turn(direction: direction, bytes: rest[..<end]))
            direction = direction == .up ? .down : .up
            rest = rest[(end + 2)...]
        }
        turns.append(Turn(direction: direction, bytes: rest))
        self.turns = turns.filter { !$0.bytes.isEmpty }
        pieces = self.turns.flatMap { turn in
            CutInput.cut(turn.bytes, seed: seed).map { Turn(direction: turn.direction, bytes: $0) }
        }
    }

    private static func isMark(_ bytes: ArraySlice<UInt8>, at index: Int) -> Bool {
        bytes[index] == 0xf5 && index + 1 < bytes.endIndex && bytes[index + 1] == 0xf7
    }
}
