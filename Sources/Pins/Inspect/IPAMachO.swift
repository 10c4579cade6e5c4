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

    /// So many parts of the file at a time, as it may be too large for memory; shorter ones where it ends.
    typealias Source = (_ ranges: [Range<Int>]) -> [[UInt8]]

    /// Parts of a fat binary; there have never been more than five.
    private static let partLimit = 8
    /// Load commands of a part; the largest apps have some hundred, in less than 64 KB.
    private static let commandLimit = 4096
    private static let commandBytes = 512 << 10
    /// Of one signature, which has a hash for every page: of a binary of 256 MB two million bytes.
    private static let signatureBytes = 4 << 20

    init(_ bytes: [UInt8]) {
        self.init { ranges in ranges.map { Array(bytes[$0.clamped(to: bytes.indices)]) } }
    }

    init(_ source: Source) {
        let starts = Self.starts(source([0..<(8 + Self.partLimit * 32)])[0])
        let parts = source(starts.map { $0..<($0 + Self.commandBytes) })
        var signatures: [Range<Int>] = []
        for (start, bytes) in zip(starts, parts) {
            if let offset = readCommands(Bytes(bytes)) {
                signatures.append((start + offset)..<(start + offset + Self.signatureBytes))
            }
        }
        if !signatures.isEmpty { for bytes in source(signatures) { readSignature(Bytes(bytes)) } }
    }

    /// Where its images begin.
    private static func starts(_ head: [UInt8]) -> [Int] {
        let head = Bytes(head)
        let magic = head.number(0, bigEndian: true)
        guard magic == 0xcafe_babe || magic == 0xcafe_babf else { return [0] }
        // A class file of Java begins like this as well, and has no such parts.
        let count = min(head.number(4, bigEndian: true) ?? 0, partLimit)
        let isLong = magic == 0xcafe_babf
        // Of the long form the lower half: beyond 4 GB there is nothing here.
        return (0..<count).compactMap { head.number(8 + $0 * (isLong ? 32 : 20) + (isLong ? 12 : 8), bigEndian: true) }
    }

    /// - Returns: where the signature is, from the part's beginning.
    private mutating func readCommands(_ part: Bytes) -> Int? {
        guard let magic = part.number(0), magic == 0xfeed_facf || magic == 0xfeed_face,
            let commands = part.number(16)
        else { return nil }
        var signature: Int?
        var at = magic == 0xfeed_facf ? 32 : 28
        for _ in 0..<min(commands, Self.commandLimit) {
            guard let command = part.number(at), let size = part.number(at + 4), size >= 8,
                size <= part.all.count - at
            else { break }
            switch command & 0x7fff_ffff {
            case 0xc, 0x18, 0x1f:
                // LC_LOAD_DYLIB, LC_LOAD_WEAK_DYLIB, LC_REEXPORT_DYLIB.
                if let offset = part.number(at + 8), offset >= 8, offset < size {
                    let name = part.all[(at + offset)..<(at + size)].prefix { $0 != 0 }
                    libraries.append(String(decoding: name, as: UTF8.self))
                }
            case 0x21, 0x2c:
                // LC_ENCRYPTION_INFO and its form for 64 bits.
                if size >= 20, let kind = part.number(at + 16), kind != 0 { isEncrypted = true }
            case 0x1d:
                // LC_CODE_SIGNATURE.
                signature = part.number(at + 8)
            default: break
            }
            at += size
        }
        return signature
    }

    /// A row of blobs, of which the fifth kind is a property list of entitlements; all of it is big-endian.
    private mutating func readSignature(_ blobs: Bytes) {
        guard blobs.number(0, bigEndian: true) == 0xfade_0cc0, let count = blobs.number(8, bigEndian: true) else {
            return
        }
        for place in 0..<min(count, 64) {
            guard let kind = blobs.number(12 + place * 8, bigEndian: true),
                let blob = blobs.number(16 + place * 8, bigEndian: true)
            else { return }
            guard kind == 5, blobs.number(blob, bigEndian: true) == 0xfade_7171,
                let size = blobs.number(blob + 4, bigEndian: true), size >= 8, size <= blobs.all.count - blob
            else { continue }
            let content = PinFileContent(Array(blobs.all[(blob + 8)..<(blob + size)]))
            if let list = try? PropertyList.read(content) { entitlements = list }
        }
    }

    private struct Bytes {
        let all: [UInt8]

        init(_ all: [UInt8]) { self.all = all }

        /// Four bytes; nil where they are not there.
        func number(_ at: Int, bigEndian: Bool = false) -> Int? {
            guard at >= 0, at <= all.count - 4 else { return nil }
            let four = all[at..<(at + 4)]
            return bigEndian ? four.reduce(0) { $0 << 8 | Int($1) } : four.reversed().reduce(0) { $0 << 8 | Int($1) }
        }
    }
}
