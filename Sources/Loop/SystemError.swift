import Facts

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A system call that failed, by its errno.
package struct SystemError: ExplainedError, Hashable {
    package let call: String
    package let code: Int32

    package init(_ call: String, _ code: Int32 = errno) {
        self.call = call
        self.code = code
    }

    package var isAddressInUse: Bool { code == EADDRINUSE }
    package var isPermissionDenied: Bool { code == EACCES || code == EPERM }
    package var isRefused: Bool { code == ECONNREFUSED }
    package var isReset: Bool { code == ECONNRESET || code == EPIPE }
    package var isTimeout: Bool { code == ETIMEDOUT }
    /// The system has no such thing at all.
    package var isNotSupported: Bool { code == ENOTSUP }
    /// There is nothing under that name.
    package var isNotFound: Bool { code == ENOENT }
    /// The process has gone.
    package var isNoProcess: Bool { code == ESRCH }
    package var isOutOfDescriptors: Bool { code == EMFILE || code == ENFILE }
    package var isOutOfSpace: Bool { code == ENOSPC || code == EDQUOT }
    /// Something is there already.
    package var isTaken: Bool { code == EEXIST || code == ENOTEMPTY }
    /// It is a link, and was not to be followed.
    package var isLink: Bool { code == ELOOP }
    /// A name whose bytes are no text.
    package var isIllegalName: Bool { code == EILSEQ }
    /// What the system says of a link that was not to be followed.
    package static func link(_ call: String) -> SystemError { SystemError(call, ELOOP) }
    /// A part of the path is no folder.
    package var isNotAFolder: Bool { code == ENOTDIR }
    /// The system's words: `connection refused`.
    package var reason: String { unsafe String(cString: strerror(code)).lowercased() }
    package var description: String { "\(call): \(reason)" }

    package var cause: ErrorCause { .environment }
    package var explanations: [Explanation] {
        [Explanation(description, hints: isOutOfDescriptors ? [DescriptorShortage.hint] : [])]
    }
}

/// Why this thread's last system call failed, for the files that know the rest of the C library by `CEvent`.
var errno: Int32 {
    #if canImport(Glibc)
        Glibc.errno
    #elseif canImport(Musl)
        Musl.errno
    #else
        Darwin.errno
    #endif
}

/// Before a call whose failure only this tells.
func clearErrno() {
    #if canImport(Glibc)
        Glibc.errno = 0
    #elseif canImport(Musl)
        Musl.errno = 0
    #else
        Darwin.errno = 0
    #endif
}
