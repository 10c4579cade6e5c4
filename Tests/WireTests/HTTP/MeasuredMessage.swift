import Testing

@testable import Wire

/// What a reader made of bytes that came in pieces.
struct MeasuredMessage: Hashable {
    var taken = 0
    var content: [UInt8] = []
    var message: HTTPMessageFraming

    init(_ message: HTTPMessageFraming, _ pieces: [ArraySlice<UInt8>]) {
        self.message = message
        for piece in pieces {
            let bytes = Array(piece)
            var at = 0
            while at < bytes.count, !self.message.isComplete {
                let run = self.message.next(bytes.span.extracting(at...))
                if run.isContent { content += bytes[at..<(at + run.count)] }
                at += run.count
            }
            taken += at
        }
    }
}

func pieces(_ bytes: [UInt8], of size: Int) -> [ArraySlice<UInt8>] {
    stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
}

extension HTTPMessageFraming {
    mutating func take(_ bytes: [UInt8]) -> Int { take(bytes.span) }
}

/// The same however the bytes are split.
func measure(
    _ message: HTTPMessageFraming, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
) -> MeasuredMessage {
    let bytes = Array(text.utf8)
    let whole = MeasuredMessage(message, [bytes[...]])
    for split in 0...bytes.count {
        let halves = MeasuredMessage(message, [bytes[..<split], bytes[split...]])
        #expect(halves == whole, "split at \(split): \(text)", sourceLocation: sourceLocation)
    }
    for size in [1, 2, 3] {
        #expect(MeasuredMessage(message, pieces(bytes, of: size)) == whole, sourceLocation: sourceLocation)
    }
    // `take` counts what `next` does.
    var taking = message
    #expect(taking.take(bytes) == whole.taken && taking == whole.message, sourceLocation: sourceLocation)
    return whole
}
