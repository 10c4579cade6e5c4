import COpenSSL
import Facts

/// The blocks of PEM text (RFC 7468), each read as its label says.
enum PEMBlocks {
    /// A bundle of roots has 150; each costs some 20 µs.
    private static let blockLimit = 100_000

    static func read(_ bytes: [UInt8], password: String?) throws(PinMaterialFault) -> [PinMaterial] {
        var found: [PinMaterial] = []
        var ignored: [String] = []
        let memory = MemoryBIO(unindented(bytes))
        for number in 1...blockLimit {
            guard let block = try next(memory, number) else { break }
            if let materials = try materials(block, number, password) {
                found += materials
            } else {
                ignored.append(block.label)
            }
        }
        if found.isEmpty, let label = ignored.first {
            throw .nothing(
                label == "OPENSSH PRIVATE KEY"
                    ? "it is a key for SSH, which no TLS server uses"
                    : "its PEM blocks (\(Printable.escaped(label))) hold neither a certificate nor a key")
        }
        return found
    }

    private struct Block {
        var label: String
        /// RFC 1421's, of the old encrypted keys: `Proc-Type: 4,ENCRYPTED`.
        var header: String
        var der: [UInt8]
    }

    private static func next(_ memory: MemoryBIO, _ number: Int) throws(PinMaterialFault) -> Block? {
        var name: UnsafeMutablePointer<CChar>?
        var header: UnsafeMutablePointer<CChar>?
        var data: UnsafeMutablePointer<UInt8>?
        var count = 0
        ERR_clear_error()
        guard unsafe PEM_read_bio(memory.bio, &name, &header, &data, &count) == 1 else {
            let error = OpenSSLError.drain("read PEM block \(number)")
            // The end of the text looks like a missing next block.
            if error.entries.last?.reasonCode == Int(PEM_R_NO_START_LINE), error.entries.count == 1 { return nil }
            throw .damaged("PEM block \(number)", error)
        }
        defer {
            unsafe CRYPTO_free(name, nil, 0)
            unsafe CRYPTO_free(header, nil, 0)
            unsafe CRYPTO_free(data, nil, 0)
        }
        return unsafe Block(
            label: name.map { unsafe String(cString: $0) } ?? "",
            header: header.map { unsafe String(cString: $0) } ?? "",
            der: Array(UnsafeBufferPointer(start: data, count: max(0, count))))
    }

    /// nil: nothing to pin, a CRL or parameters.
    private static func materials(
        _ block: Block, _ number: Int, _ password: String?
    ) throws(PinMaterialFault) -> [PinMaterial]? {
        func damaged() -> PinMaterialFault {
            .damaged(
                "PEM block \(number) (\(Printable.escaped(block.label)))", OpenSSLError(operation: "", entries: []))
        }
        switch block.label {
        case "CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE":
            do throws(OpenSSLError) {
                return [PinMaterial(try Certificate(der: certificate(in: block.der)))]
            } catch {
                throw .damaged("PEM block \(number) (\(block.label))", error)
            }
        case "CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST":
            guard let request = DERMaterial.request(block.der) else { throw damaged() }
            return [request]
        case "PKCS7", "PKCS #7 SIGNED DATA", "CMS":
            guard let found = DERMaterial.messages(block.der) else { throw damaged() }
            return found
        case "PKCS12":
            guard let items = try PKCS12Bags.read(block.der, password: password) else { throw damaged() }
            return try DERMaterial.materials(items)
        case "PUBLIC KEY", "RSA PUBLIC KEY":
            guard let key = DERMaterial.publicKey(block.der) else { throw damaged() }
            return [key]
        case "ENCRYPTED PRIVATE KEY":
            guard let key = try DERMaterial.encryptedKey(block.der, password: password) else { throw damaged() }
            return [key]
        case "PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "DSA PRIVATE KEY":
            if block.header.contains("ENCRYPTED") { return [try oldEncryptedKey(block, password)] }
            guard let key = DERMaterial.privateKey(block.der) else { throw damaged() }
            return [key]
        default: return nil
        }
    }

    /// OpenSSL's TRUSTED CERTIFICATE has its notes on trust behind the certificate.
    private static func certificate(in der: [UInt8]) -> [UInt8] {
        DERElement(der, at: 0).map { Array(der[..<$0.end]) } ?? der
    }

    /// RFC 1421's encryption, with one round of MD5.
    private static func oldEncryptedKey(_ block: Block, _ password: String?) throws(PinMaterialFault) -> PinMaterial {
        let name = "private key"
        guard let password else { throw .needsPassword(name) }
        let text =
            "-----BEGIN \(block.label)-----\n\(block.header)\n\(Base64.encode(block.der))\n-----END \(block.label)-----\n"
        let memory = MemoryBIO(Array(lines(text).utf8))
        ERR_clear_error()
        let key = unsafe password.withCString { word in
            // Without a callback the last argument is the password itself.
            unsafe PEM_read_bio_PrivateKey(memory.bio, nil, nil, UnsafeMutableRawPointer(mutating: word))
        }
        guard let key = unsafe key else {
            ERR_clear_error()
            throw .wrongPassword(name)
        }
        defer { unsafe EVP_PKEY_free(key) }
        do throws(OpenSSLError) { return try unsafe PinMaterial(key: key) } catch { throw .damaged(name, error) }
    }

    /// Lines of base64 with at most 64 characters: OpenSSL's reader takes no longer ones than 254.
    private static func lines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard line.utf8.count > 76, !line.contains("-"), !line.contains(":") else { return String(line) }
            var out: [String] = []
            var rest = line[...]
            while !rest.isEmpty {
                out.append(String(rest.prefix(64)))
                rest = rest.dropFirst(64)
            }
            return out.joined(separator: "\n")
        }.joined(separator: "\n")
    }

    /// YAML and chat windows indent; OpenSSL finds no block then.
    /// With line breaks in the place of `\n` and `\r`, where PEM stands in a string of JSON, of an environment file, or of code.
    static func unescaped(_ bytes: [UInt8]) -> [UInt8] {
        let escape = Array("-----\\n".utf8)
        guard bytes.indices.contains(where: { bytes[$0] == escape[0] && bytes[$0...].starts(with: escape) }) else {
            return bytes
        }
        // A string begins and ends by a quotation mark, and what joins it to the next one is no base64.
        var lines: [[UInt8]] = [[]]
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            let isEscape =
                byte == UInt8(ascii: "\\") && (rest.first == UInt8(ascii: "n") || rest.first == UInt8(ascii: "r"))
            if isEscape { rest = rest.dropFirst() }
            if isEscape || byte == 10 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                lines.append([])
            } else {
                lines[lines.count - 1].append(byte)
            }
        }
        let joints = Set(" \t\r+.,;\\".utf8)
        let bare = lines.filter { !$0.allSatisfy(joints.contains) }.map(Self.withoutName)
        return Array(bare.joined(separator: [10])) + [10]
    }

    /// `NAME=-----BEGIN ...` without what stands before the block.
    private static func withoutName(_ line: [UInt8]) -> ArraySlice<UInt8> {
        let begin = Array("-----BEGIN ".utf8)
        let start = line.indices.first { line[$0] == begin[0] && line[$0...].starts(with: begin) }
        return line[(start ?? 0)...]
    }

    private static func unindented(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var atStart = true
        for byte in bytes {
            if atStart, byte == 32 || byte == 9 { continue }
            atStart = byte == 10 || byte == 13
            out.append(byte)
        }
        return out
    }
}
