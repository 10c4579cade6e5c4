import COpenSSL
import CShim
import Facts

/// Certificates, requests and keys out of bytes in any wrapping.
///
///     let found = try PinMaterialReader.read(bytes, password: nil)    // in the order of the file
///
/// PEM with any number of blocks and text between them (RFC 7468), DER, the same in base64 alone, PKCS#7 and CMS,
/// PKCS#12, PKCS#10, PKCS#8, PKCS#1, SEC 1, Java's old key stores and Bouncy Castle's. Of private keys only the public half is kept.
package enum PinMaterialReader {
    /// Bytes; a system's bundle of roots has 220 KB, and the largest stores some megabytes.
    package static let sizeLimit = 16 << 20

    package static func read(_ bytes: [UInt8], password: String? = nil) throws(PinMaterialFault) -> [PinMaterial] {
        guard bytes.count <= sizeLimit else {
            throw .tooLarge("it has more than \(sizeLimit >> 20) MB, the most that is read of certificates and keys")
        }
        // What PowerShell's > has written.
        let bytes = TextEncoding.utf8(ofUTF16: bytes) ?? bytes
        guard !bytes.isEmpty else { throw .nothing("it is empty") }
        let found: [PinMaterial]
        if PEM.isIn(bytes) {
            found = try PEMBlocks.read(PEMBlocks.unescaped(bytes), password: password)
        } else if let store = try JavaKeyStore.certificates(in: bytes) {
            found = store
        } else if let store = try BouncyCastleStore.certificates(in: bytes) {
            found = store
        } else if let inner = base64(bytes) {
            found = try DERMaterial.read(inner, password: password)
        } else {
            found = try DERMaterial.read(bytes, password: password)
        }
        guard !found.isEmpty else { throw .nothing("there is no certificate and no key in it") }
        return found
    }

    /// DER that is written in base64 without the lines of PEM around it; nil where it is something else.
    private static func base64(_ bytes: [UInt8]) -> [UInt8]? {
        let text = bytes.filter { $0 != 10 && $0 != 13 && $0 != 32 && $0 != 9 }
        guard text.count >= 16, text.first == UInt8(ascii: "M"), let inner = Base64.decoded(text[...]),
            inner.first == 0x30
        else { return nil }
        return inner
    }
}

/// Text that some tools of Windows write.
enum TextEncoding {
    /// nil without a byte order mark of UTF-16.
    static func utf8(ofUTF16 bytes: [UInt8]) -> [UInt8]? {
        let isLittle = bytes.starts(with: [0xff, 0xfe])
        guard isLittle || bytes.starts(with: [0xfe, 0xff]) else { return nil }
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map {
            isLittle
                ? UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 : UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
