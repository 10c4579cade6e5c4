import CEvent

/// The C library of this machine.
package enum CLibrary {
    /// `glibc 2.36`; where it tells none, what it is.
    package static var version: String {
        if let version = unsafe pp_c_library() { return unsafe "glibc \(String(cString: version))" }
        #if os(macOS)
            return "macOS"
        #else
            return "musl"
        #endif
    }
}
