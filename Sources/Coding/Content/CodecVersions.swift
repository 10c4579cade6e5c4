import CCodecs

/// The versions of the libraries that decode, as they are loaded.
package enum CodecVersions {
    /// Name and version. RE2 tells none.
    package static var all: [(name: String, version: String)] {
        let brotli = BrotliDecoderVersion()
        return [
            ("nghttp2", unsafe nghttp2_version(0).map { unsafe String(cString: $0.pointee.version_str) } ?? "?"),
            ("zlib", unsafe zlibVersion().map { unsafe String(cString: $0) } ?? "?"),
            // Twelve bits each for minor and patch (brotli's common/version.h).
            ("brotli", "\(brotli >> 24).\(brotli >> 12 & 0xFFF).\(brotli & 0xFFF)"),
            ("zstd", unsafe ZSTD_versionString().map { unsafe String(cString: $0) } ?? "?"),
        ]
    }
}
