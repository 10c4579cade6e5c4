/// Why nothing can be pinned of some bytes.
package enum PinMaterialFault: Error, Hashable, Sendable {
    /// Neither a certificate nor a key in any wrapping that is known; the words say what it is like.
    case nothing(String)
    /// It is, or holds, something encrypted, and there is no password: `PKCS#12`, `private key`.
    case needsPassword(String)
    case wrongPassword(String)
    /// It begins as what is named, and cannot be read.
    case damaged(String, OpenSSLError)
    /// Rounds of hashing a password that the file asks for: minutes of work, and no tool writes so many.
    case tooManyRounds(UInt64)
    case tooLarge(String)
}
