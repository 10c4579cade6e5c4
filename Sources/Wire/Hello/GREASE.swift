/// Values that clients send at random to keep servers tolerant (RFC 8701).
enum GREASE {
    static func contains(_ value: UInt16) -> Bool {
        value & 0x0f0f == 0x0a0a && value >> 8 == value & 0xff
    }
}
