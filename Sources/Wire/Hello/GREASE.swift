/// Values that clients send to keep servers tolerant (RFC 8701); they mean nothing and change at random.
enum GREASE {
    static func contains(_ value: UInt16) -> Bool {
        value & 0x0f0f == 0x0a0a && value >> 8 == value & 0xff
    }
}
