/// What is kept of one message, and how much there was of it.
struct MessageBytes: Hashable {
    private(set) var data: [UInt8] = []
    /// All that came.
    private(set) var size = 0
    /// Something of it is missing: past the limit, or left out. Nothing behind that is kept.
    private(set) var isCut = false

    mutating func append(_ bytes: ArraySlice<UInt8>) {
        size += bytes.count
        guard !isCut else { return }
        let room = ExchangeMessage.sizeLimit - data.count
        data += bytes.prefix(room)
        isCut = bytes.count > room
    }

    /// So many bytes of it are missing here.
    mutating func miss(_ count: Int) {
        size += count
        isCut = true
    }

    mutating func clear() {
        data.removeAll(keepingCapacity: data.count <= 64 * 1024)
        size = 0
        isCut = false
    }
}
