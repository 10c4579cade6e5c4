import Testing

@testable import TLS

@Test("output is handed out whole, once and in order, also when it outgrew the buffer")
func output() {
    let buffer = OutputBuffer()
    func append(_ bytes: [UInt8]) {
        unsafe bytes.map { CChar(bitPattern: $0) }.withUnsafeBufferPointer {
            guard let base = $0.baseAddress else { return }
            unsafe buffer.append(base, count: $0.count)
        }
    }
    func taken() -> [UInt8] {
        var out: [UInt8] = []
        buffer.take { bytes in for index in bytes.indices { out.append(bytes[index]) } }
        return out
    }
    #expect(taken().isEmpty)
    let all = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
    for start in stride(from: 0, to: all.count, by: 16_000) {
        append(Array(all[start..<min(start + 16_000, all.count)]))
    }
    #expect(taken() == all)
    #expect(taken().isEmpty && buffer.count == 0)
    append([1, 2])
    #expect(taken() == [1, 2])
}
