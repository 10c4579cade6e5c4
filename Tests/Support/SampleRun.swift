import Evidence
import Facts

/// A sample that could not be made.
package struct SampleFault: Error {
    package let reason: String
}

/// A run folder as a gate leaves it, without a connection in it.
package func sampleRun(
    in parent: TemporaryFolder, _ name: String = "run", ended: Bool = true, at: Double = 100
) throws -> RunFolder {
    let folder = try RunFolder.create(at: "\(parent.path)/\(name)")
    try folder.write("version: 1\nname: sample\nhosts:\n  api.test: { expect: refuse }\n", as: "profile.yaml")
    let writer = try EvidenceWriter(path: folder.evidence)
    writer.append(.header(sampleHeader()))
    writer.append(.selfTest(SelfTestResult(passed: true, problems: [], ms: 1)))
    writer.append(.trialStarted(TrialStart(trial: 1, attack: .passthrough, variant: nil, only: [], at: at)))
    writer.append(.trialEnded(TrialEnd(trial: 1, exit: 0, seconds: 2, at: 102)))
    if ended { writer.append(.runEnded(RunEnd(interrupted: false, seconds: 3.5, at: 103))) }
    writer.close()
    if let fault = writer.fault { throw SampleFault(reason: fault) }
    return folder
}
