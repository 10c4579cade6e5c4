import Facts
import Foundation
import Policy
import Support
import TLSSupport
import Testing

@testable import TLS

/// Forged OCSP answers in the words of `openssl ocsp`.
@Suite("Stapled answers, read by OpenSSL's program")
struct StapledAnswerTests {
    @Test(
        "it is good, for the leaf, signed by the issuer, and of the genuine one's dates",
        .enabled(if: Command.isInstalled("openssl")),
        arguments: [Attack.trustedCA, .untrustedCA, .clonedIdentity])
    func respin(attack: Attack) async throws {
        let now = Date().timeIntervalSince1970
        let material = try ForgeMaterial(.general(now: testNow))
        let genuine = try GenuineShape(title: "", issuers: [.rsa(bits: 2048), .p384]).chain()
        let chain = try Forge(material).chain(
            for: host("api.example.com"), attack: attack, variant: attack.variants[0], rsaLeaf: false,
            genuine: genuine, now: testNow)
        try #require(chain.certificates.count >= 2)
        guard case .issuer(let responder) = chain.voucher else { throw NotAHost("nobody answers") }
        let begin = Int64(now) - 3600
        var form = StapleForm(producedAt: begin + 60, thisUpdate: begin, nextUpdate: begin + 86_400)
        form.digest = .sha256
        let folder = try TemporaryFolder()
        let root = attack == .untrustedCA ? material.untrusted.root : material.trusted.root
        let said = try await Command.run(
            "openssl",
            [
                "ocsp", "-respin", folder.write("answer", responder.answer(like: form)), "-sha256",
                "-issuer", folder.write("issuer.pem", chain.certificates[1].pem.utf8),
                "-cert", folder.write("leaf.pem", chain.certificates[0].pem.utf8),
                "-CAfile", folder.write("root.pem", root.pem.utf8), "-attime", "\(Int64(testNow))",
                "-resp_text",
            ])
        #expect(said.errors.contains("Response verify OK"), "\(said)")
        #expect(said.output.contains("leaf.pem: good") && said.output.contains("Hash Algorithm: sha256"))
        func words(_ time: Int64) -> String {
            let format = DateFormatter()
            format.locale = Locale(identifier: "en_US_POSIX")
            format.timeZone = TimeZone(identifier: "UTC")
            format.dateFormat = "HH:mm:ss yyyy 'GMT'"
            return format.string(from: Date(timeIntervalSince1970: Double(time)))
        }
        for (label, time) in [
            ("Produced At: ", form.producedAt), ("This Update: ", form.thisUpdate), ("Next Update: ", begin + 86_400),
        ] {
            let line = said.output.split(separator: "\n").first { $0.contains(label) }
            #expect(line?.hasSuffix(words(time)) == true, "\(label)")
        }
    }
}
