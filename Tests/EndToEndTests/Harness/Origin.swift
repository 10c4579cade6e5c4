import Foundation
import Subprocess
import Support

/// A running `Tests/Clients/origin/serve`: one test's own server, ports and copy of a PKI.
struct Origin: Sendable {
    struct Ports: Decodable, Sendable {
        var any: Int
        var tls12: Int
        var http1: Int
        var banner: Int
        var starttls: Int
        var mail: Int
        var smtp: Int
        var own: Int

        func port(of service: Service) -> Int {
            switch service {
            case .any: any
            case .tls12: tls12
            case .http1: http1
            case .banner: banner
            case .starttls: starttls
            case .mail: mail
            case .smtp: smtp
            case .own: own
            }
        }
    }

    /// What is asked for at the origin: the web over any TLS or 1.2 alone, or by HTTP/1.1 alone, a protocol in which the
    /// server begins, the web with STARTTLS beside it, a server that greets and then has STARTTLS alone (of a protocol of
    /// its own, or SMTP), or the web at an address that no other host has.
    enum Service: String, Sendable { case any, tls12, http1, banner, starttls, mail, smtp, own }

    struct DidNotStart: Error {
        var errors: String
    }

    let folder: URL
    let ports: Ports

    var root: URL { folder.appending(path: "root.pem") }

    /// The pin of a name, as a profile writes it.
    func pin(_ name: String) throws -> String {
        let text = try String(contentsOf: folder.appending(path: "\(name).pin"), encoding: .utf8)
        return "sha256/" + text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Runs `body` while the origin serves. The origin ends with its standard input, even when this process dies.
    static func serving<T: Sendable>(
        in folder: URL, _ body: @Sendable @escaping (Origin) async throws -> T
    ) async throws -> T {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let configuration = Configuration(
            executable: .path(.init(Places.clients.appending(path: "origin/serve").path)),
            arguments: [folder.path], platformOptions: Command.ownSession)
        let result = try await Subprocess.run(
            configuration, input: .inputWriter, output: .discarded, error: .string(limit: Command.outputLimit)
        ) { origin -> Result<T, any Error> in
            let outcome: Result<T, any Error>
            do {
                outcome = .success(try await body(Origin(folder: folder, ports: try await ports(folder))))
            } catch {
                outcome = .failure(error)
            }
            try await origin.standardInputWriter.finish()
            return outcome
        }
        if case .failure(is DidNotStart) = result.closureResult {
            throw DidNotStart(errors: result.standardError)
        }
        return try result.closureResult.get()
    }

    private static func ports(_ folder: URL) async throws -> Ports {
        let file = folder.appending(path: "ready.json")
        let deadline = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < deadline {
            if let data = try? Data(contentsOf: file) { return try JSONDecoder().decode(Ports.self, from: data) }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw DidNotStart(errors: "")
    }
}
