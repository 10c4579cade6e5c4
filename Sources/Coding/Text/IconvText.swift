import CCodecs

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Text by the system's iconv.
enum IconvText {
    /// Bytes of UTF-8 that one call may write.
    private static let roomPerStep = 16 * 1024

    /// - Parameter charset: in iconv's words; only those of `CharsetNames` are ever asked for, never a peer's.
    /// - Returns: nil where this system's iconv lacks the charset. What cannot be read becomes U+FFFD, a byte at a time.
    static func decode(_ bytes: ArraySlice<UInt8>, from charset: String) -> String? {
        converted(Array(bytes), from: charset, to: "UTF-8").map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// - Parameter charset: as for `decode`.
    /// - Returns: nil where this system's iconv lacks the charset, or that a character.
    static func encode(_ text: String, to charset: String) -> [UInt8]? {
        converted(Array(text.utf8), from: "UTF-8", to: charset).flatMap { $0.isExact ? $0.bytes : nil }
    }

    private static func converted(
        _ bytes: [UInt8], from: String, to: String
    ) -> (bytes: [UInt8], isExact: Bool)? {
        guard let converter = unsafe iconv_open(to, from), Int(bitPattern: converter) != -1 else { return nil }
        defer { unsafe iconv_close(converter) }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var source = bytes
        var isExact = true
        unsafe source.withUnsafeMutableBytes { source in
            unsafe withUnsafeTemporaryAllocation(byteCount: roomPerStep, alignment: 1) { room in
                isExact = unsafe convert(converter, source, through: room, to: &text)
            }
        }
        return (text, isExact)
    }

    /// - Returns: whether everything could be read, and written.
    private static func convert(
        _ converter: iconv_t, _ source: UnsafeMutableRawBufferPointer, through room: UnsafeMutableRawBufferPointer,
        to text: inout [UInt8]
    ) -> Bool {
        var isExact = true
        var from = unsafe source.baseAddress?.assumingMemoryBound(to: CChar.self)
        var waiting = source.count
        var isFlushing = false
        while true {
            let before = waiting
            var to = unsafe room.baseAddress?.assumingMemoryBound(to: CChar.self)
            var left = room.count
            // At the end some charsets hold a character back, which a call without input gives.
            let status =
                unsafe isFlushing
                ? iconv(converter, nil, nil, &to, &left) : iconv(converter, &from, &waiting, &to, &left)
            let failure = errno
            unsafe text.append(contentsOf: room.prefix(room.count - left))
            if status != -1 {
                if isFlushing { return isExact }
                isFlushing = true
            } else if failure == E2BIG, waiting < before || left < room.count {
                continue
            } else if isFlushing {
                return false
            } else if failure == EILSEQ, waiting > 0 {
                isExact = false
                text += [0xef, 0xbf, 0xbd]
                unsafe from = from?.advanced(by: 1)
                waiting -= 1
            } else {
                // EINVAL: the text ends in the middle of a character. Nothing else is known to happen.
                if waiting > 0 { isExact = false }
                if waiting > 0 { text += [0xef, 0xbf, 0xbd] }
                isFlushing = true
            }
        }
    }
}
