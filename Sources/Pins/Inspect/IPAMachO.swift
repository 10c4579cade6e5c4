/// What a Mach-O binary says of itself: libraries, encryption, entitlements.
///
/// Source: Apple's loader.h and cs_blobs.h. Of a fat binary all parts are read. What is broken is passed over: the
/// rest of an app is worth reading all the same.
struct IPAMachO {
    /// Of its load commands: `@rpath/TrustKit.framework/TrustKit`.
    private(set) var libraries: [String] = []
    private(set) var isEncrypted = false
    /// Of its signature.
    private(set) var entitlements: PropertyList?

    private let bytes: [UInt8]

    /// Parts of a fat binary; there have never been more than five.
    private static let partLimit = 16
    /// Load commands of a part; the largest apps have some hundred.
    private static let commandLimit = 4096

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let magic = number(0, bigEndian: true)
        guard magic == 0xcafe_babe || magic == 0xcafe_babf else {
            read(at: 0)
            return
        }
        // A class file of Java begins like this as well, and has no such parts.
        let count = min(number(4, bigEndian: true) ?? 0, Self.partLimit)
        let isLong = magic == 0xcafe_babf
        for part in 0..<count {
            let entry = 8 + part * (isLong ? 32 : 20)
            // Of the long form the lower half: beyond 4 GB there is nothing here.
            if let offset = number(entry + (isLong ? 12 : 8), bigEndian: true) { read(at: offset) }
        }
    }

    private mutating func read(at start: Int) {
        guard let magic = number(start), magic == 0xfeed_facf || magic == 0xfeed_face,
            let commands = number(start + 16)
        else { return }
        var at = start + (magic == 0xfeed_facf ? 32 : 28)
        for _ in 0..<min(commands, Self.commandLimit) {
            guard let command = number(at), let size = number(at + 4), size >= 8, size <= bytes.count - at else {
                return
            }
            switch command & 0x7fff_ffff {
            case 0xc, 0x18, 0x1f:
                // LC_LOAD_DYLIB, LC_LOAD_WEAK_DYLIB, LC_REEXPORT_DYLIB.
                if let offset = number(at + 8), offset >= 8, offset < size {
                    let name = bytes[(at + offset)..<(at + size)].prefix { $0 != 0 }
                    libraries.append(String(decoding: name, as: UTF8.self))
                }
            case 0x21, 0x2c:
                // LC_ENCRYPTION_INFO and its form for 64 bits.
                if size >= 20, let kind = number(at + 16), kind != 0 { isEncrypted = true }
            case 0x1d:
                // LC_CODE_SIGNATURE.
                if let offset = number(at + 8) { readSignature(at: start + offset) }
            default: break
            }
            at += size
        }
    }

    /// A row of blobs, of which the fifth kind is a property list of entitlements; all of it is big-endian.
    private mutating func readSignature(at start: Int) {
        guard number(start, bigEndian: true) == 0xfade_0cc0, let count = number(start + 8, bigEndian: true) else {
            return
        }
        for place in 0..<min(count, 64) {
            guard let kind = number(start + 12 + place * 8, bigEndian: true),
                let offset = number(start + 16 + place * 8, bigEndian: true)
            else { return }
            let blob = start + offset
            guard kind == 5, number(blob, bigEndian: true) == 0xfade_7171, let size = number(blob + 4, bigEndian: true),
                size >= 8, size <= bytes.count - blob
            else { continue }
            let content = PinFileContent(Array(bytes[(blob + 8)..<(blob + size)]))
            if let list = try? PropertyList.read(content) { entitlements = list }
        }
    }

    /// Four bytes; nil where they are not there.
    private func number(_ at: Int, bigEndian: Bool = false) -> Int? {
        guard at >= 0, at <= bytes.count - 4 else { return nil }
        let four = bytes[at..<(at + 4)]
        return bigEndian ? four.reduce(0) { $0 << 8 | Int($1) } : four.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
