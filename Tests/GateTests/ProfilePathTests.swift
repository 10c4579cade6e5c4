import Facts
import Loop
import Report
import Support
import Testing
import Verdict

@testable import Gate

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct ProfilePathTests {
    @Test("a profile lies in its repository where there is one, also in a work tree; else where it is")
    func paths() throws {
        let folder = try TemporaryFolder()
        for name in ["repo/.git", "repo/pinning/deep", "alone"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
        }
        _ = try folder.write("alone/.gitx", [])
        #expect(ProfilePath.inRepository("\(folder.path)/repo/pinning/deep/p.yaml") == "pinning/deep/p.yaml")
        #expect(ProfilePath.inRepository("\(folder.path)/repo/pinning/../p.yaml") == "p.yaml")
        #expect(ProfilePath.inRepository("\(folder.path)/alone/p.yaml") == "\(folder.path)/alone/p.yaml")
        // A work tree's `.git` is a file.
        _ = try folder.write("alone/.git", Array("gitdir: /elsewhere".utf8))
        #expect(ProfilePath.inRepository("\(folder.path)/alone/p.yaml") == "p.yaml")
    }

    @Test("labels and artefacts of several runs are those of all, each once")
    func merged() {
        var (first, second) = (sampleHeader(), sampleHeader())
        let artefact = RunHeader.Artefact(file: "a.apk", sha256: "11", bytes: 1)
        (first.labels, first.artefacts) = (["commit": "aa", "device": "pixel-9"], [artefact])
        (second.labels, second.artefacts) = (["commit": "aa", "device": "pixel-8"], [artefact])
        let input = RunSummary.input(
            Judgement(result: .pass, hosts: []), profile: "p",
            runs: [RunEvidence([.header(first)]), RunEvidence([.header(second)])], folders: [])
        #expect(input.labels == ["commit": "aa", "device": "pixel-8, pixel-9"])
        #expect(input.artefacts == [artefact])
    }
}
