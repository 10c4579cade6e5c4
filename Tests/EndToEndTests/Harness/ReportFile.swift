import Foundation

/// `report.json` as an outsider reads it: written from docs/report.md, not from the code that makes it.
struct ReportFile: Decodable, Sendable {
    struct Host: Decodable, Sendable {
        var host: String
        var client: String?
        var expect: String
        var verdict: String
        var strength: String?
        var subtype: String?
        var missing: [String]
        var why: String
        var coldStarts: Int
        var acceptanceBound95: Double?
        var attacks: [Tally]
        var findings: [Finding]
        var mastg: [String]

        func tally(_ attack: String) -> Tally? { attacks.first { $0.attack == attack } }

        /// Connections under an attack that ended so.
        func count(_ outcome: String, under attack: String) -> Int { tally(attack)?.outcomes[outcome] ?? 0 }

        /// The attacks under which application data came.
        var fellFor: [String] { attacks.filter { ($0.outcomes["data"] ?? 0) > 0 }.map(\.attack).sorted() }
    }

    struct EndedEarly: Decodable, Sendable {
        var reason: String
        var hosts: [String]
    }

    struct Retry: Decodable, Sendable {
        var trial: Int
        var exit: Int?
        var lastError: String?
    }

    struct Tally: Decodable, Sendable {
        var attack: String
        var outcomes: [String: Int]
        var connections: Int
        var alerts: [String: Int]
        var evidence: [Int]
        var bytesUp: Int?
        var bytesDown: Int?
        /// The forms of the attack under which data came.
        var dataUnder: [String]?
    }

    struct Finding: Decodable, Sendable {
        var id: String
        var severity: String
        var text: String
    }

    struct Client: Decodable, Sendable {
        var client: String
        var result: String
    }

    struct CA: Decodable, Sendable {
        var sha256: String
        var scope: [String]?
    }

    struct SelfTest: Decodable, Sendable {
        var passed: Bool
    }

    var schema: String
    var profile: String
    var result: String
    var exitStatus: Int32
    var seconds: Double
    var ca: CA
    var selfTest: SelfTest
    var hosts: [Host]
    var findings: [Finding]
    var clients: [Client]?
    var endedEarly: EndedEarly?
    var retries: [Retry]

    init(contentsOf file: URL) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        self = try decoder.decode(Self.self, from: try Data(contentsOf: file))
    }

    func host(_ name: String) -> Host? { hosts.first { $0.host == name } }
}
