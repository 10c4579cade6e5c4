import Facts
import Foundation
import Testing

@testable import Wire

/// The hellos of Tests/Hellos/hellos.tsv.
struct RecordedStack: Sendable, CustomTestStringConvertible {
    /// nil: it has to remain unknown.
    let name: StackName?
    /// From the client itself, and not from one that imitates it.
    let isMeasured: Bool
    let client: String
    let hello: ClientHello

    var testDescription: String { client }

    static let all: [RecordedStack] = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = (try? String(contentsOf: root.appending(path: "Hellos/hellos.tsv"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: "\t").map(String.init)
            var parser = ClientHelloParser()
            guard fields.count == 4, case .complete(let hello) = parser.read(RecordedHello.hex(fields[3])) else {
                return nil
            }
            return RecordedStack(
                name: StackName(rawValue: fields[0]), isMeasured: fields[1] == "measured", client: fields[2],
                hello: hello)
        }
    }()
}
