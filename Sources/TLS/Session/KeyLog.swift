import COpenSSL

/// Takes the secrets of TLS sessions, from which whoever has the packets can read them.
///
/// A line is one of NSS's key log without its newline: a label, the client's random and the secret, both in hexadecimal
/// (`CLIENT_RANDOM …` of TLS 1.2, `CLIENT_TRAFFIC_SECRET_0 …` and its like of TLS 1.3). It is called on the loop's
/// thread in the middle of a handshake, so it must neither block nor throw.
package typealias KeyLog = @Sendable (_ leg: KeyLogLeg, _ line: [UInt8]) -> Void

/// Which of a proxy's two handshakes a secret belongs to.
package enum KeyLogLeg: Hashable, Sendable { case client, origin }

/// OpenSSL's key log callback.
func keyLogged(_ ssl: OpaquePointer?, _ line: UnsafePointer<CChar>?) {
    guard let session = unsafe TLSSession.of(ssl), let line = unsafe line else { return }
    session.logKey(unsafe Array(UnsafeRawBufferPointer(start: line, count: strlen(line))))
}
