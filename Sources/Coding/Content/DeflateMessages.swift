import Flows

/// Inflates the messages of one direction of a WebSocket (permessage-deflate, RFC 7692).
///
/// Belongs to one thread. The largest window reads what was written with any smaller one, so that the agreed size
/// (RFC 7692 §7.1.2) does not matter.
package final class DeflateMessages: MessageInflater {
    /// Under context takeover a message that is cut has to be inflated to its end, as the next one refers back to it. Past
    /// this, some half a second of work, it is given up, and so are those after it.
    static let mostDropped = 256 * 1024 * 1024
    /// Ends of the deflate stream in one message (RFC 7692 §7.2.3.4): senders that have any have one. Each costs as much as
    /// thousands of bytes, whatever comes out of it.
    static let mostEnds = 16
    private static let roomPerStep = 32 * 1024
    /// What the sender takes off the end of every message (RFC 7692 §7.2.1).
    private static let tail: [UInt8] = [0, 0, 0xff, 0xff]

    private let withoutTakeover: Bool
    private let stream = ZlibStream(.none)
    /// A message that later ones may refer back to was no deflate stream, or was given up.
    private var isLost = false
    package private(set) var dropped = 0

    package init(_ agreed: MessageDeflate) { withoutTakeover = agreed.withoutTakeover }

    package func inflate(_ data: [UInt8], limit: Int) -> (data: [UInt8], isCut: Bool)? {
        guard !isLost else { return nil }
        // Strictly an empty message is one zero byte (RFC 7692 §7.2.3.6). Some send nothing at all, and mean the same.
        guard !data.isEmpty else { return ([], false) }
        if withoutTakeover { stream.reset() }
        dropped = 0
        var message = Message(limit: max(0, limit), isDropping: !withoutTakeover)
        let isWhole = unsafe withUnsafeTemporaryAllocation(byteCount: Self.roomPerStep, alignment: 16) { room in
            guard unsafe data.withUnsafeBytes({ unsafe run($0, through: room, to: &message) }) else { return false }
            return unsafe Self.tail.withUnsafeBytes { unsafe run($0, through: room, to: &message) }
        }
        dropped = message.dropped
        if message.ends > Self.mostEnds {
            isLost = true
            return nil
        }
        if message.isGivenUp {
            isLost = !withoutTakeover
            return (message.data, true)
        }
        guard isWhole, stream.isBetweenBlocks else {
            isLost = !withoutTakeover
            return nil
        }
        return (message.data, message.isCut)
    }

    /// - Returns: whether all of the input was read; false where it is no deflate stream, or where the message is given up.
    private func run(
        _ input: UnsafeRawBufferPointer, through room: UnsafeMutableRawBufferPointer, to message: inout Message
    ) -> Bool {
        var rest = unsafe input[...]
        while true {
            let (read, written, result) = unsafe stream.inflate(UnsafeRawBufferPointer(rebasing: rest), into: room)
            unsafe rest = rest.dropFirst(read)
            unsafe message.take(room.prefix(written))
            if message.isGivenUp { return false }
            switch result {
            case .working: continue
            case .hungry: return true
            // A sender may end the stream in a message; what follows is a further one (RFC 7692 §7.2.3.4).
            case .ended:
                message.ends += 1
                guard message.ends <= Self.mostEnds else { return false }
                stream.resume()
            case .failed: return false
            }
        }
    }

    /// What has come out of one message.
    private struct Message {
        let limit: Int
        /// What is past the limit is inflated all the same, and dropped.
        let isDropping: Bool
        var data: [UInt8] = []
        var dropped = 0
        var ends = 0

        init(limit: Int, isDropping: Bool) {
            self.limit = limit
            self.isDropping = isDropping
        }

        var isCut: Bool { dropped > 0 }
        var isGivenUp: Bool { dropped > (isDropping ? DeflateMessages.mostDropped : 0) }

        mutating func take(_ bytes: Slice<UnsafeMutableRawBufferPointer>) {
            let kept = unsafe min(bytes.count, limit - data.count)
            unsafe data.append(contentsOf: bytes.prefix(kept))
            unsafe dropped += bytes.count - kept
        }
    }
}
