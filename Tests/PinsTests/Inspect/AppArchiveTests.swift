import Facts
import Testing

@testable import Pins

@Suite("Whose app an archive is")
struct AppArchiveTests {
    private func platform(_ names: [String]) throws -> AppInspection.Platform {
        try AppArchive.platform(of: try ZipArchive(AppSample.zip(names.map { ($0, []) })))
    }

    @Test("apps are told by what has to be in them")
    func apps() throws {
        #expect(try platform(["AndroidManifest.xml", "classes.dex"]) == .android)
        #expect(try platform(["base/manifest/AndroidManifest.xml"]) == .android)
        #expect(try platform(["Payload/A.app/Info.plist"]) == .ios)
        #expect(try platform(["Payload/A.app/Info.plist", "Payload/B.app/Info.plist"]) == .ios)
    }

    @Test(
        "what is no app is told what it lacks, by what it looks like",
        arguments: [
            (["classes.dex"], "it looks like an app for Android, and AndroidManifest.xml is not in it"),
            (["resources.arsc"], "it looks like an app for Android, and AndroidManifest.xml is not in it"),
            (
                ["base/dex/classes.dex"],
                "it looks like an app bundle for Android, and base/manifest/AndroidManifest.xml is not in it"
            ),
            (
                ["Payload/A.app/A", "AndroidManifest.txt"],
                "it looks like an app for iOS, and Payload/NAME.app/Info.plist is not in it"
            ),
            (["splits/base-master.apk"], "it holds APKs, and is none itself"),
            (
                ["a.txt"],
                "this is no app: it has neither AndroidManifest.xml (.apk), nor base/manifest/AndroidManifest.xml (.aab), "
                    + "nor Payload/NAME.app/Info.plist (.ipa)"
            ),
        ])
    func none(names: [String], message: String) throws {
        do {
            _ = try platform(names)
            Issue.record("it is an app")
        } catch let fault as PinFileFault {
            #expect(fault.message == message)
            #expect(fault.hints.isEmpty == !message.contains("APKs"))
        }
    }
}
