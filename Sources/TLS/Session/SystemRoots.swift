import COpenSSL

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Where OpenSSL looks for the system's roots.
struct SystemRoots {
    /// All of them, one after another.
    var file: String
    /// Each by the hash of its subject, as `openssl rehash` names it; several with colons between.
    var folder: String

    /// As OpenSSL has it: SSL_CERT_FILE and SSL_CERT_DIR, or where it was built to look.
    static var usual: SystemRoots {
        func place(_ variable: UnsafePointer<CChar>?, else usual: UnsafePointer<CChar>?) -> String {
            let found = unsafe variable.flatMap { unsafe getenv($0) }.map { unsafe UnsafePointer($0) } ?? usual
            return unsafe found.map { unsafe String(cString: $0) } ?? ""
        }
        return unsafe SystemRoots(
            file: place(X509_get_default_cert_file_env(), else: X509_get_default_cert_file()),
            folder: place(X509_get_default_cert_dir_env(), else: X509_get_default_cert_dir()))
    }

    /// Has `store` trust them.
    ///
    /// A bundle is read at once, all 140 roots of it, which is half of what a start takes; of a folder a root is read when
    /// a chain ends in it. OpenSSL itself uses both. Where the system made both from the same roots, the folder will do.
    func add(to store: OpaquePointer) {
        if isFolderEnough {
            unsafe X509_STORE_load_path(store, folder)
        } else {
            unsafe X509_STORE_set_default_paths(store)
        }
        ERR_clear_error()  // a machine without roots is no error: nothing will verify there
    }

    /// Whether Debian's update-ca-certificates(8) made the bundle from what is in the folder, and nobody has added to it.
    var isFolderEnough: Bool {
        guard let bundle = Self.resolved(file), let place = Self.resolved(folder),
            bundle == place + "/ca-certificates.crt", let wanted = Self.countOfCertificates(in: bundle)
        else { return false }
        return wanted > 0 && Self.countOfHashes(in: place) >= wanted
    }

    private static func resolved(_ path: String) -> String? {
        guard let found = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(found) }
        return unsafe String(cString: found)
    }

    /// Bytes. Systems have a quarter of a megabyte.
    private static let bundleLimit = 16 << 20

    /// nil for what cannot be read, and for more than a bundle has.
    private static func countOfCertificates(in path: String) -> Int? {
        guard let file = unsafe fopen(path, "re") else { return nil }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        while true {
            let piece = unsafe [UInt8](unsafeUninitializedCapacity: 256 << 10) { buffer, count in
                unsafe count = fread(buffer.baseAddress, 1, buffer.count, file)
            }
            if piece.isEmpty { break }
            bytes += piece
            guard bytes.count <= bundleLimit else { return nil }
        }
        guard unsafe ferror(file) == 0 else { return nil }
        return countOfCertificates(pem: bytes)
    }

    /// Also of those that are a TRUSTED CERTIFICATE or an X509 CERTIFICATE.
    private static func countOfCertificates(pem: [UInt8]) -> Int {
        let mark = Array("-----BEGIN ".utf8)
        return unsafe pem.withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress else { return 0 }
            var (count, line) = (0, 0)
            while buffer.count - line >= mark.count {
                if unsafe memcmp(start + line, mark, mark.count) == 0 { count += 1 }
                guard let end = unsafe memchr(start + line, 0x0A, buffer.count - line) else { break }
                unsafe line = UnsafeRawPointer(end) - start + 1
            }
            return count
        }
    }

    /// How many names are a subject's hash (`5ed36f99.0`), and lead to something.
    private static func countOfHashes(in folder: String) -> Int {
        guard let listing = unsafe opendir(folder) else { return 0 }
        defer { unsafe closedir(listing) }
        let descriptor = unsafe dirfd(listing)
        var count = 0
        while let entry = unsafe readdir(listing) {
            unsafe withUnsafePointer(to: &entry.pointee.d_name) { place in
                unsafe place.withMemoryRebound(to: CChar.self, capacity: 256) { name in
                    let bytes = unsafe UnsafeRawBufferPointer(start: name, count: strlen(name))
                    if unsafe isHash(bytes), unsafe faccessat(descriptor, name, R_OK, 0) == 0 { count += 1 }
                }
            }
        }
        return count
    }

    /// Eight digits of a hash, a dot, and a number below 256. Of hundreds of names at each start none becomes a String.
    private static func isHash(_ name: UnsafeRawBufferPointer) -> Bool {
        guard 10...12 ~= name.count, unsafe name[8] == UInt8(ascii: "."),
            unsafe name[..<8].allSatisfy({ isxdigit(Int32($0)) != 0 }),
            unsafe name[9...].allSatisfy({ isdigit(Int32($0)) != 0 })
        else { return false }
        return unsafe name[9...].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } < 256
    }
}
