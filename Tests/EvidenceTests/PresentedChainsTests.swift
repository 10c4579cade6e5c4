import Support
import Testing

@testable import Evidence
@testable import TLS

/// Chains that differ in their certificates' order alone: what they are called by differs, which is all that counts.
private func chains(_ count: Int) throws -> [PresentedChain] {
    let authority = try CertificateAuthority.general(now: 1_767_225_600)
    return (1...count).map {
        PresentedChain(certificates: Array(repeating: authority.root, count: $0), key: authority.key)
    }
}

@Test("hosts that take turns use up no more of the limit than they have chains")
func turns() throws {
    let parent = try TemporaryFolder()
    let folder = try RunFolder.create(at: parent.path + "/run")
    let evidence = try EvidenceWriter(path: folder.evidence)
    let presented = PresentedChains(folder: folder, evidence: evidence, limit: 3)
    let chains = try chains(4)
    for _ in 1...10 { for chain in chains[..<2] { presented.keep(chain) } }
    for chain in chains { presented.keep(chain) }
    #expect(try parent.names("run/presented") == chains[..<3].map { "\($0.sha256).pem" }.sorted())
    #expect(evidence.fault == nil)
}
