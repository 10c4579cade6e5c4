import Facts
import Pins
import Policy
import Profiles
import TLS

/// Certificates, and what says which of them to trust.
extension FuzzSubject {
    static let profiles = FuzzSubject("profiles") { input in
        do throws(ProfileErrors) {
            let text = String(decoding: input, as: UTF8.self)
            let loaded = try ProfileLoader.parse(text: text, path: "p.yaml", files: FileState.assumed)
            _ = loaded.profile
        } catch {
            try expect(!"\(error)".isEmpty, "a profile that is refused without a word")
        }
    }

    static let pinFiles = FuzzSubject("pin-files", limit: 8192) { input in
        let content = PinFileContent(input)
        _ = FormatRecogniser.isProfile(content)
        do throws(PinFileFault) {
            let files = try FormatRecogniser.standard.read(content, path: "file")
            let lines = 1 + input.count { $0 == 10 || $0 == 13 }
            for pin in files.flatMap(\.hosts).flatMap(\.pins) {
                try expectLine(pin.line, lines)
            }
            let found = PinImport(files)
            _ = (found.json, found.text)
            guard let today = CalendarDate("2026-07-01") else { return }
            _ = PinLint.findings(files, LintSituation(today: today))
            expectProfile(ProfileWriter(files, today: today))
        } catch {
            if error.message.isEmpty { fatalError("a file that is refused without a word") }
        }
    }

    /// What is written as a profile can be read as one.
    private static func expectProfile(_ writer: ProfileWriter) {
        let text = writer.text
        guard writer.lack == nil else { return }
        do throws(ProfileErrors) {
            _ = try ProfileLoader.parse(text: text, path: "p.yaml", files: FileState.assumed)
        } catch {
            fatalError("a profile that was written cannot be read: \(error)\n\(text.prefix(2000))")
        }
    }

    private static func expectLine(_ line: Int, _ lines: Int) throws(PinFileFault) {
        if line < 1 || line > lines { fatalError("a pin at line \(line) of \(lines)") }
    }

    /// DER, and PEM where it says so.
    static let certificates = FuzzSubject("certificates") { input in
        guard let certificate = try? Certificate(der: input) else { return }
        try expectEqual(certificate.der, input, "the DER of a certificate")
        _ = (certificate.subject, certificate.issuer, certificate.spkiSHA256Base64, certificate.keyType)
        _ = (certificate.notBefore, certificate.notAfter, certificate.isAuthority, certificate.permitsServers)
        _ = (certificate.commonName, certificate.hasServerName, certificate.pem)
        if let host = HostName("api.example.com") { _ = certificate.isFor(host) }
        _ = certificate.signed(certificate)
        let chain = GenuineChain([certificate])
        try expectEqual(chain.sha256, [certificate.sha256], "the facts of a chain")
        // Handshakes read keys by code of our own. What they do not know, Diffie-Hellman above all, they may refuse alone.
        guard let quick = try? Certificate(der: input, isForHandshakes: true) else { return }
        try expectEqual(quick.spkiSHA256Base64, certificate.spkiSHA256Base64, "the key's pin, read for a handshake")
        if case .other = quick.keyType { return }
        try expectEqual(quick.keyType, certificate.keyType, "the key's type, read for a handshake")
        try expectEqual(quick.signed(quick), certificate.signed(certificate), "a signature checked for a handshake")
    }

    static let pinMaterial = FuzzSubject("pin-material", limit: 8192) { input in
        let found = try? PinMaterialReader.read(input)
        try expectMaterial(found ?? [])
        try expectMaterial((try? PinMaterialReader.read(input, password: "changeit")) ?? [])
        // The same in base64, as it is pasted, is the same material.
        guard let found, input.first == 0x30, input.count >= 16 else { return }
        let pasted = Array(Base64.encode(input).utf8)
        guard pasted.first == UInt8(ascii: "M") else { return }
        try expectEqual(try PinMaterialReader.read(pasted), found, "the same in base64")
    }

    /// Each is a SubjectPublicKeyInfo that OpenSSL reads, and is the same when it is read alone.
    private static func expectMaterial(_ found: [PinMaterial]) throws {
        for one in found {
            try expect(!one.keyName.isEmpty, "a key without a name")
            if let certificate = one.certificate {
                try expectEqual(certificate.publicKeyDER, one.publicKeyDER, "a certificate's key")
                try expectEqual(
                    try PinMaterialReader.read(certificate.der).map(\.publicKeyDER), [one.publicKeyDER],
                    "a certificate alone")
            } else if one.keyName != "unknown" {
                try expectEqual(
                    try PinMaterialReader.read(one.publicKeyDER).map(\.publicKeyDER), [one.publicKeyDER], "a key alone")
            }
        }
    }

    /// What an origin staples: what of it is taken can be made again.
    static let originStaples = FuzzSubject("origin-staples", limit: 8192) { input in
        guard let leaf = try? Workshop.leaf.get(), let staple = OriginStaple(input, of: leaf) else { return }
        try expectEqual(OriginStaple(input, of: leaf)?.form, staple.form, "an answer that is read twice")
        guard staple.form != nil else { return }
        try expect(OriginStaple(input + [0], of: leaf)?.form == nil, "an answer with a byte behind it")
    }

    /// Whatever an origin shows: what is forged like it is a sound certificate for the host, or it is said why not.
    static let forging = FuzzSubject("forging") { input in
        guard let certificate = try? Certificate(der: input), let host = HostName("api.example.com") else { return }
        let forge = Forge(try Workshop.material.get())
        for attack in AttackCatalogue.all {
            for variant in attack.variants {
                guard
                    let chain = try? forge.chain(
                        for: host, attack: attack, variant: variant, rsaLeaf: false,
                        genuine: GenuineChain([certificate]), now: Workshop.now)
                else { continue }
                let name = attack.name(of: variant)
                try expect(!chain.certificates.isEmpty, "an empty chain of \(name)")
                if isForTheHost(variant.recipe), let leaf = chain.certificates.first {
                    try expect(leaf.isFor(host), "a leaf of \(name) that is not for its host")
                }
                for made in chain.certificates {
                    try expectEqual(try Certificate(der: made.der), made, "a forged certificate that is read again")
                }
            }
        }
    }
}

/// A client that checks names has nothing against the leaf.
private func isForTheHost(_ recipe: Recipe) -> Bool {
    guard recipe.order.first == .leaf, recipe.signer != .leafItself else { return false }
    return switch recipe.name {
    case .target, .noCommonName, .second, .capitals, .targetBeside, .besideLocal: true
    default: false
    }
}

/// What forging needs once.
private enum Workshop {
    static let now = 1_780_272_000.0
    static let material = Result { try ForgeMaterial(.general(now: now)) }
    /// What the corpus's OCSP answers speak of.
    static let leaf = Result {
        let text = """
            MIIBATCBpwICBNIwCgYIKoZIzj0EAwIwDDEKMAgGA1UEAwwBYTAeFw0yNjExMjkwNzMwMDBaFw0zNjExMjYwNzMwMDBaMAwxCjAI\
            BgNVBAMMAWEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARvywEPbvhFbA++8HO2+VGoGYOW0FvK2JLrqlZNqQq0gM99rI5zs/6Z\
            g/MF3QTeCDzQmvyrBZganwHJ3IZaNCj0MAoGCCqGSM49BAMCA0kAMEYCIQCg8y9aUPDVK/gt8qPXV/C3Y0yesuR55ys59Zcv/j+k\
            agIhAJcL2QxE0tuwp3GyJ62/pciOxUZWDmgQk4OrHILIBVoF
            """
        return try Certificate(der: Base64.decoded(Array(text.utf8)[...]) ?? [])
    }
}
