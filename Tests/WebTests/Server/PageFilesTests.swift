import Foundation
import Testing

@testable import Web

@Suite("The page's files")
struct PageFilesTests {
    @Test("each file of the folder is part of the program, as it is, and no other")
    func whole() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources/Web/Page")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(PageFiles.all.map(\.name).sorted() == names)
        for file in PageFiles.all {
            #expect(try Data(contentsOf: folder.appending(path: file.name)) == Data(file.bytes), "\(file.name)")
        }
    }

    @Test("nothing comes from elsewhere: no address but the program's own, nothing inline")
    func own() throws {
        for file in PageFiles.all where !file.name.hasSuffix(".svg") {
            let text = String(decoding: file.bytes, as: UTF8.self)
            #expect(
                !text.contains("innerHTML") && !text.contains("insertAdjacentHTML") && !text.contains("eval("),
                "\(file.name)")
            if file.name.hasSuffix(".html") {
                #expect(!text.contains("style=") && !text.contains(" on") || !text.contains("onclick="), "\(file.name)")
                #expect(!text.contains("<script>") && !text.contains("<style"), "\(file.name)")
            }
        }
    }
}
