import Facts
import Policy
import Report
import Testing

@testable import Verdict

@Suite("A debuggable build")
struct DebuggableBuildTests {
    private func verdict(_ app: RunHeader.Artefact.App?, _ visit: App.Visit) throws -> HostVerdict {
        var run = App(visits: [.accepting("cdn.test"), visit]).run(.test()).evidence
        for index in run.records.indices {
            guard case .header(var header) = run.records[index].record else { continue }
            header.artefacts = [RunHeader.Artefact(file: "shop.apk", sha256: "", bytes: 1, app: app)]
            run.records[index].record = .header(header)
        }
        return try Judge.judge(profile: .test(), runs: [run]).host("api.test")
    }

    @Test("is judged, and never proven")
    func never() throws {
        let app = RunHeader.Artefact.App(id: "com.example.shop", version: "1", debuggable: true)
        let pinned = try verdict(app, .pinned("api.test"))
        #expect(pinned.verdict == .refusedUnproven && pinned.missing == [.releaseBuild])
        #expect(pinned.why.contains("can be debugged"))
        #expect(try verdict(app, .accepting("api.test")).verdict == .notPinned)
    }

    @Test("a release build, and a file that is no app, are in nobody's way")
    func release() throws {
        let app = RunHeader.Artefact.App(id: nil, version: nil, debuggable: false)
        for app in [app, nil] { #expect(try verdict(app, .pinned("api.test")).verdict == .provenPinned) }
    }
}
