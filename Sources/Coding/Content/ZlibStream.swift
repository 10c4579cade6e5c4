import CCodecs

/// zlib's inflating half. Belongs to one thread.
///
/// At most some 40 KB: the window of 32 KB, which zlib allocates when it is first needed, and its tables.
@safe final class ZlibStream {
    enum Framing: Int32 {
        /// RFC 1952.
        case gzip = 31
        /// RFC 1950.
        case zlib = 15
        /// RFC 1951, nothing around it. The largest window reads what was written with any smaller one.
        case none = -15
    }

    enum Result: Hashable {
        case working, hungry, ended
        case failed(String)
    }

    // Owned, and never moved: zlib's own state points back to it.
    private let stream: UnsafeMutablePointer<z_stream>
    /// inflateInit2 has succeeded, so that inflateEnd is owed.
    private let isReady: Bool

    init(_ framing: Framing) {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        isReady = unsafe inflateInit2_(stream, framing.rawValue, ZLIB_VERSION, size) == Z_OK
    }

    deinit {
        if isReady { unsafe inflateEnd(stream) }
        unsafe stream.deallocate()
    }

    func inflate(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> (read: Int, written: Int, result: Result) {
        guard isReady else { return (0, 0, .failed("zlib is out of memory")) }
        // zlib counts in 32 bits; who calls again gets the rest.
        let size = UInt32(clamping: input.count)
        let room = UInt32(clamping: output.count)
        // zlib does not write through next_in.
        unsafe stream.pointee.next_in = UnsafeMutablePointer(
            mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        unsafe stream.pointee.avail_in = size
        unsafe stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe stream.pointee.avail_out = room
        let status = unsafe CCodecs.inflate(stream, Z_SYNC_FLUSH)
        let read = unsafe Int(size - stream.pointee.avail_in)
        let written = unsafe Int(room - stream.pointee.avail_out)
        unsafe stream.pointee.next_in = nil
        unsafe stream.pointee.next_out = nil
        let result: Result
        switch status {
        case Z_STREAM_END: result = .ended
        case Z_OK, Z_BUF_ERROR: result = read == input.count && written < output.count ? .hungry : .working
        case Z_NEED_DICT: result = .failed("needs a dictionary that did not come with it")
        case Z_MEM_ERROR: result = .failed("zlib is out of memory")
        default:
            result = unsafe .failed(stream.pointee.msg.map { unsafe String(cString: $0) } ?? "is no deflate stream")
        }
        return (read, written, result)
    }

    /// The last byte that was read ends a block, and all of it belongs to it.
    var isBetweenBlocks: Bool {
        // zlib.h, inflate(): 128 is set after the end of a block, the lowest three bits count unused ones.
        unsafe stream.pointee.data_type & (128 | 7) == 128
    }

    /// Begins anew and forgets everything.
    func reset() { if isReady { unsafe inflateReset(stream) } }

    /// After the end of an unframed stream: a further one that may refer back to what has come out.
    func resume() {
        guard isReady else { return }
        unsafe withUnsafeTemporaryAllocation(byteCount: 32 * 1024, alignment: 1) { window in
            guard let bytes = unsafe window.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            var count: UInt32 = 0
            unsafe inflateGetDictionary(stream, bytes, &count)
            unsafe inflateReset(stream)
            if count > 0 { unsafe inflateSetDictionary(stream, bytes, count) }
        }
    }
}
