import CCodecs
import Flows

/// Reads the header blocks of one direction of an HTTP/2 connection (RFC 7541).
///
/// Belongs to one thread. A block that is not HPACK leaves the dynamic table unknown: from then on every block faults. So
/// does a name or value of more than 64 KiB, which nghttp2 does not read. A block that is too large as a whole faults
/// alone: it is read to its end, so that the next one means what it should.
@safe package final class HPACKDecoder: HeaderBlockDecoder {
    /// Names, values and 32 bytes for each field (RFC 9113 §6.5.2) of one block. Browsers stop at 256 KiB, servers mostly
    /// earlier; a few bytes that repeat a large entry of the table could otherwise ask for gigabytes.
    package static let blockLimit = 1024 * 1024
    /// Bytes of the dynamic table that the other side may allow: sixteen times what browsers do. It is memory that each
    /// direction of a connection may cost.
    package static let tableLimit = 1024 * 1024

    // Owned; nil when there was no memory for it.
    private let inflater: OpaquePointer?
    /// The largest table that was ever allowed (RFC 7541 §6.5.2: at first 4,096 bytes).
    private var allowed = 4096
    private var fault: DecodingFault?

    package init() {
        var created: OpaquePointer?
        unsafe nghttp2_hd_inflate_new(&created)
        unsafe inflater = created
    }

    deinit { unsafe nghttp2_hd_inflate_del(inflater) }

    /// A smaller size than before changes nothing: when the sender begins to follow it, it says so in its next block
    /// (RFC 7541 §4.2), and until then, which somebody who only listens cannot know, it uses the old one.
    package func allowTable(of size: Int) {
        let size = min(size, Self.tableLimit)
        guard size > allowed, let inflater = unsafe inflater else { return }
        allowed = size
        unsafe nghttp2_hd_inflate_change_table_size(inflater, size)
    }

    package func decode(_ block: [UInt8]) throws(DecodingFault) -> [HeaderField] {
        if let fault { throw fault }
        var fields: [HeaderField] = []
        var left = Self.blockLimit
        let (read, failure) = unsafe block.withUnsafeBufferPointer { bytes in
            unsafe inflate(bytes) { name, value in
                // Negative once it was: the rest is read for the table's sake.
                guard left >= 0 else { return }
                left -= name.count + value.count + 32
                if left >= 0 { unsafe fields.append(HeaderField(name: name, value: value)) }
            }
        }
        if let failure {
            let found = DecodingFault(offset: read, reason: "HPACK: \(failure)")
            fault = found
            throw found
        }
        guard left >= 0 else {
            throw DecodingFault(offset: 0, reason: "a header block of more than \(Self.blockLimit) bytes")
        }
        return fields
    }

    /// - Returns: how many bytes were read, and what is wrong with those after them.
    private func inflate(
        _ block: UnsafeBufferPointer<UInt8>,
        each: (_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Void
    ) -> (read: Int, failure: String?) {
        guard let inflater = unsafe inflater else { return (0, "out of memory") }
        var rest = unsafe block[...]
        while true {
            var field = unsafe nghttp2_nv()
            var flags: Int32 = 0
            let part = unsafe UnsafeBufferPointer(rebasing: rest)
            let read = unsafe nghttp2_hd_inflate_hd2(inflater, &field, &flags, part.baseAddress, part.count, 1)
            guard read >= 0 else {
                return unsafe (block.count - rest.count, String(cString: nghttp2_strerror(Int32(clamping: read))))
            }
            unsafe rest = rest.dropFirst(read)
            if flags & Int32(NGHTTP2_HD_INFLATE_EMIT.rawValue) != 0 {
                unsafe each(
                    UnsafeBufferPointer(start: field.name, count: field.namelen),
                    UnsafeBufferPointer(start: field.value, count: field.valuelen))
            }
            if flags & Int32(NGHTTP2_HD_INFLATE_FINAL.rawValue) != 0 {
                unsafe nghttp2_hd_inflate_end_headers(inflater)
                return (block.count, nil)
            }
            // It says so itself when a block ends in the middle. This keeps the loop from depending on it.
            if read == 0, flags == 0 { return unsafe (block.count - rest.count, "the block ends in the middle") }
        }
    }
}
