import COpenSSL

/// The BIO between OpenSSL and a session: reads what is fed, writes to the workspace.
enum SessionBIO {
    /// One method table for the process; BIO_meth_* copies nothing, so it is never freed.
    nonisolated(unsafe) private static let method: OpaquePointer? = {
        // nonisolated(unsafe): written once, before the first BIO; OpenSSL only reads it.
        let method = unsafe BIO_meth_new(BIO_get_new_index() | Int32(BIO_TYPE_SOURCE_SINK), "pinproof session")
        unsafe BIO_meth_set_read(method) { unsafe readThunk($0, $1, $2) }
        unsafe BIO_meth_set_write(method) { unsafe writeThunk($0, $1, $2) }
        unsafe BIO_meth_set_ctrl(method) { _, command, _, _ in command == Int32(BIO_CTRL_FLUSH) ? 1 : 0 }
        return unsafe method
    }()

    /// A BIO that points back at `session`, unretained: the session owns the SSL, which owns the BIO.
    static func make(for session: TLSSession) -> OpaquePointer? {
        guard let bio = unsafe BIO_new(method) else { return nil }
        unsafe BIO_set_data(bio, Unmanaged.passUnretained(session).toOpaque())
        unsafe BIO_set_init(bio, 1)
        return unsafe bio
    }
}

private func readThunk(_ bio: OpaquePointer?, _ into: UnsafeMutablePointer<CChar>?, _ count: Int32) -> Int32 {
    guard let data = unsafe BIO_get_data(bio), let into = unsafe into else { return -1 }
    let session = unsafe Unmanaged<TLSSession>.fromOpaque(data).takeUnretainedValue()
    unsafe BIO_clear_flags(bio, Int32(BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_IO_SPECIAL | BIO_FLAGS_SHOULD_RETRY))
    let given = unsafe session.giveInput(into, atMost: Int(count))
    guard given == 0 else { return Int32(given) }
    unsafe BIO_set_flags(bio, Int32(BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY))
    return -1
}

private func writeThunk(_ bio: OpaquePointer?, _ bytes: UnsafePointer<CChar>?, _ count: Int32) -> Int32 {
    guard let data = unsafe BIO_get_data(bio), let bytes = unsafe bytes else { return -1 }
    let session = unsafe Unmanaged<TLSSession>.fromOpaque(data).takeUnretainedValue()
    unsafe BIO_clear_flags(bio, Int32(BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_IO_SPECIAL | BIO_FLAGS_SHOULD_RETRY))
    unsafe session.output.append(bytes, count: Int(count))
    return count
}
