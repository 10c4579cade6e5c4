import Facts
import Loop
import Policy
import Support
import TLS
import Testing

@testable import Gate

private func anchors(_ certificate: Certificate, for authority: CertificateAuthority) throws -> DeclaredAnchors {
    let folder = try TemporaryFolder()
    let path = folder.path + "/root.pem"
    try Files.writeAtomically(certificate.pem.utf8, to: path)
    var profile = try sampleProfile([("api.test", .refuse), ("feed.test", .refuse)])
    profile.rules[0].anchors = [path]
    return try DeclaredAnchors(profile, authority)
}

@Test("the header keeps the pins of the anchors and of the CA, and nothing where there are none")
func recorded() throws {
    let ours = try CertificateAuthority.general(now: WallClock.now)
    let theirs = try CertificateAuthority.general(now: WallClock.now)
    let declared = try anchors(theirs.root, for: ours)
    #expect(
        declared.recorded
            == RunHeader.Anchors(
                declared: ["api.test": [theirs.root.spkiSHA256Base64]], authority: [ours.root.spkiSHA256Base64]))
    #expect(try DeclaredAnchors(try sampleProfile(), ours).recorded == nil)
}

@Test("the CA to forge with is nobody's private anchor")
func forgingCA() throws {
    let ours = try CertificateAuthority.general(now: WallClock.now)
    #expect(throws: GateError.self) { try anchors(ours.root, for: ours) }
}
