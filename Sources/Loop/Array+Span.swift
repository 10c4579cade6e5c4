extension [UInt8] {
    /// Appends a copy of `bytes` in one move; the array grows as `append` lets it.
    package mutating func append(copying bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
