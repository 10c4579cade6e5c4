import COpenSSL

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What OpenSSL's error queue of this thread said about one failed call.
///
/// The queue is per thread and outlives the call that filled it, so a stale entry would be blamed on the next failure:
/// `trying` clears it before the call and drains it right after, in the same function.
package struct OpenSSLError: Error, Hashable, Sendable, CustomStringConvertible {
    package struct Entry: Hashable, Sendable, CustomStringConvertible {
        /// OpenSSL's part that failed: `SSL routines`, `x509 certificate routines`, …
        package let library: String
        package let reason: String
        /// `ERR_GET_REASON`: for an alert received, 1000 + its code.
        package let reasonCode: Int
        /// A system call failed, with this errno.
        package let systemCode: Int32?
        /// What OpenSSL added: a name, a file, the certificate verification error; may be empty.
        package let detail: String

        init(library: String, reason: String, reasonCode: Int, detail: String, systemCode: Int32? = nil) {
            self.library = library
            self.reason = reason
            self.reasonCode = reasonCode
            self.detail = detail
            self.systemCode = systemCode
        }

        package var description: String {
            (library.isEmpty ? reason : "\(library): \(reason)") + (detail.isEmpty ? "" : " (\(detail))")
        }
    }

    /// What was tried, in words: "parse a certificate".
    package let operation: String
    /// Oldest first; the first is usually the cause.
    package let entries: [Entry]

    package init(operation: String, entries: [Entry]) {
        self.operation = operation
        self.entries = entries
    }

    package var description: String {
        let causes = entries.map(\.description).joined(separator: "; ")
        return "cannot \(operation): \(causes.isEmpty ? "OpenSSL gives no reason" : causes)"
    }

    /// A file could not be opened because too many are.
    package var isOutOfDescriptors: Bool { entries.contains { $0.systemCode == EMFILE || $0.systemCode == ENFILE } }

    /// True when any entry carries this reason text, as `ERR_reason_error_string` words it.
    package func says(_ reason: String) -> Bool { entries.contains { $0.reason == reason } }
}

extension OpenSSLError {
    /// Runs one OpenSSL call that answers nil on failure.
    static func trying<T>(_ operation: @autoclosure () -> String, _ call: () -> T?) throws(OpenSSLError) -> T {
        ERR_clear_error()
        if let result = call() { return result }
        throw drain(operation())
    }

    /// Runs one OpenSSL call that answers whether it succeeded.
    static func requiring(_ operation: @autoclosure () -> String, _ call: () -> Bool) throws(OpenSSLError) {
        ERR_clear_error()
        guard call() else { throw drain(operation()) }
    }

    /// Empties this thread's queue into a value. Call it right after the failed call, in the function that cleared.
    static func drain(_ operation: String) -> OpenSSLError {
        var entries: [Entry] = []
        var data: UnsafePointer<CChar>?
        var flags: Int32 = 0
        // The queue holds at most 16 entries (ERR_NUM_ERRORS), so this ends.
        while case let code = unsafe ERR_get_error_all(nil, nil, nil, &data, &flags), code != 0 {
            let library = unsafe ERR_lib_error_string(code).map { unsafe String(cString: $0) } ?? ""
            let reason = unsafe ERR_reason_error_string(code).map { unsafe String(cString: $0) }
            let isText = flags & ERR_TXT_STRING != 0
            let detail = unsafe isText ? data.map { unsafe String(cString: $0) } ?? "" : ""
            let number = Int(ERR_GET_REASON(code))
            entries.append(
                Entry(
                    library: library, reason: reason ?? "reason \(number)", reasonCode: number, detail: detail,
                    systemCode: ERR_GET_LIB(code) == ERR_LIB_SYS ? Int32(number) : nil))
        }
        return OpenSSLError(operation: operation, entries: entries)
    }
}
