/// Where an array lies in memory: two that live and lie at one place are the same bytes.
package struct MemoryPlace: Hashable, Sendable {
    private let address: UInt

    package init(of bytes: [UInt8]) {
        address = unsafe bytes.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    }
}
