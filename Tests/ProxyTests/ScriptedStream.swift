import Facts

@testable import Loop

/// A client's stream without a socket: a test says what arrives, and reads what was written.
final class ScriptedStream: ByteStream {
    weak var handler: (any StreamHandler)?
    let address: SocketAddress?
    private(set) var written: [UInt8] = []
    private(set) var isOpen = true
    private(set) var isReading = false
    private(set) var hasEnded = false
    /// Takes nothing: what is written waits.
    var isBlocked = false
    private(set) var backlog = 0

    init(from address: SocketAddress?) { self.address = address }

    /// Arrives, whether it is read or not: the kernel keeps nothing back here.
    func say(_ text: String) { handler?.stream(self, received: Array(text.utf8).span) }

    var localAddress: SocketAddress? { nil }
    var held: Int { backlog }
    var unacknowledged: Int? { backlog }
    var writtenCount: Int { written.count }
    var acknowledgedCount: Int? { written.count - backlog }
    func resume() { isReading = true }
    func pause() { isReading = false }
    func write(_ bytes: Span<UInt8>) {
        written.append(copying: bytes)
        if isBlocked { backlog += bytes.count }
    }
    func end() { hasEnded = true }
    func close() { isOpen = false }
    func reset() { isOpen = false }
}
