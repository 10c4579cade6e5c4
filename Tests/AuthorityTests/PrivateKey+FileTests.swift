import Support
import TLS
import Testing

@testable import Authority

@Test("an encrypted key and a key that others can read are refused with a hint, before anything else is tried")
func refusedKeys() async throws {
    let scratch = try TemporaryFolder()
    let pem = try PrivateKey.generate(.p256).pem()
    #expect(try PrivateKey.read(path: scratch.write("good.key", pem)).type == .p256)
    for mode in [0o640, 0o604, 0o644, 0o620, 0o660] {
        let path = try scratch.write("open.key", pem, mode: mode)
        let error = #expect(throws: CAError.self) { try PrivateKey.read(path: path) }
        #expect(error?.code == .permissions)
        #expect(error?.hint?.hasPrefix("chmod 600 \(path)") == true)
    }
    let plain = try scratch.write("plain.key", pem)
    let sealed = scratch.path + "/sealed.key"
    let made = try await Command.run(
        "openssl", ["pkey", "-in", plain, "-aes256", "-passout", "pass:x", "-out", sealed])
    #expect(made.status == 0)
    let path = try scratch.write("sealed.key", try File.read(sealed, atMost: 10_000))
    let error = #expect(throws: CAError.self) { try PrivateKey.read(path: path) }
    #expect(error?.message.contains("encrypted") == true)
    let empty = try scratch.write("empty.key", [])
    #expect(throws: CAError.self) { try PrivateKey.read(path: empty) }
    #expect(throws: CAError.self) { try PrivateKey.read(path: scratch.path) }
}
