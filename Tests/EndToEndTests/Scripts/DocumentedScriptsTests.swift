import Foundation
import Support
import Testing

/// The example of the README and the scripts of docs/ci.md, run as they stand there, with curl as the app.
@Suite("Documented scripts", .timeLimit(.minutes(60)))
struct DocumentedScriptsTests {
    /// The blocks of a language on a page, in their order.
    private static func blocks(_ language: String, of page: String) throws -> [String] {
        let text = try String(contentsOf: Places.repository.appending(path: page), encoding: .utf8)
        return text.components(separatedBy: "\n```").enumerated()
            .filter { $0.offset % 2 == 1 && $0.element.hasPrefix("\(language)\n") }
            .map { String($0.element.dropFirst(language.count + 1)) + "\n" }
    }

    /// The first of them that has these words in it.
    static func block(_ language: String, of page: String, with words: String) throws -> String {
        try #require(
            blocks(language, of: page).first { $0.contains(words) }, "\(page) has no \(language) with \(words)")
    }

    /// Runs a script in a folder where the README's first three steps have been taken: server, profile, app.
    ///
    /// In it `steps` takes them again, as they stand; `pinproof` is the program, and ci/ this project's.
    private static func inShop(_ script: String) async throws -> Command {
        let page = "README.md"
        let steps = """
            \(try block("sh", of: page, with: "openssl s_server"))
            cat > shop.yaml <<'END'
            \(try block("yaml", of: page, with: "api.example.test"))END
            cat > app.sh <<'END'
            \(try block("sh", of: page, with: "--pinnedpubkey"))END
            chmod +x app.sh
            """
        return try await Places.withFolder { folder in
            let start = """
                mkdir bin home; ln -s "\(Places.pinproof)" bin/pinproof; ln -s "\(Places.repository.path)/ci" ci
                export PATH="$PWD/bin:$PATH" PINPROOF_HOME="$PWD/home"
                port=$(python3 -c 'import socket; s = socket.create_server(("", 0)); print(s.getsockname()[1])')
                steps() {
                \(steps.replacing("8443", with: "$port"))
                sed -i "s/\\$port/$port/g" shop.yaml
                }
                steps 2> steps.log
                server=$!
                trap 'kill $server' EXIT
                \(script)
                """
            await Turnstile.gates.enter()
            let result: Result<Command, any Error>
            do { result = .success(try await Command.run("sh", ["-c", start], in: folder)) } catch {
                result = .failure(error)
            }
            await Turnstile.gates.leave()
            return try result.get()
        }
    }

    @Test("the README's example proves a pin, also when all of it is done again in the same place, and breaks as told")
    func readme() async throws {
        let line = try #require(
            Self.blocks("console", of: "README.md").joined().split(separator: "\n")
                .first { $0.hasPrefix("$ pinproof gate shop.yaml -- ") })
        let gate = line.dropFirst(2)
        let ran = try await Self.inShop(
            """
            \(gate) > 1; echo "first $?"; steps 2> again.log
            \(gate) > 2; echo "again $?"
            cp app.sh sound; sed -i 's/ --pinnedpubkey "[^ ]* pin)"//' app.sh
            \(gate) > 3; echo "unpinned $?"; grep -c not-pinned 3
            sed 's/cat cert.pem "$PINPROOF_CA"/cat cert.pem/' sound > app.sh
            \(gate) > 4; echo "untrusting $?"; grep -c 'missing: trust-control' 4
            ls runs | wc -l
            """)
        let said = ran.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(
            said.filter { $0.contains(" ") } == ["first 0", "again 0", "unpinned 1", "untrusting 2"], "\(ran)")
        #expect(said.last == "4" && !said.contains("0"), "\(ran)")
    }

    @Test("shards that are run one by one are judged as one")
    func shards() async throws {
        let parts = try Self.block("sh", of: "docs/ci.md", with: "SHARD").components(separatedBy: "\n\n")
        let (worker, end) = (try #require(parts.first), try #require(parts.last))
        let ran = try await Self.inShop(
            """
            ln -s . pinning; mv shop.yaml release.yaml; mv app.sh shard.sh
            for SHARD in 1 2 3; do
            \(worker)
            done > workers 2>&1
            \(end)
            """)
        #expect(ran.status == 0 && ran.output.contains("1 host proven pinned"), "\(ran)")
    }

    @Test("a build without pins shows that the one with pins trusts the CA")
    func twin() async throws {
        let lines = try Self.block("sh", of: "docs/ci.md", with: "--evidence-from twin").split(separator: "\n")
            .map { $0.components(separatedBy: "  #")[0] }
        #expect(lines.count == 2)
        let ran = try await Self.inShop(
            """
            sed -e '/^controls/d' shop.yaml > release.yaml; echo 'same_anchors: true' >> release.yaml
            sed -i '/cdn.example.test/d' app.sh
            sed 's/ --pinnedpubkey "[^ ]* pin)"//' app.sh > app-without-pins.sh; chmod +x app-without-pins.sh
            \(lines[0]) > 1 2>&1; echo "twin $?"
            \(lines[1]); echo "release $?"
            """)
        #expect(ran.output.contains("twin 1\n") && ran.output.contains("release 0\n"), "\(ran)")
        #expect(ran.output.contains("S2b"), "\(ran)")
    }

    @Test("farm.sh gives each device its own proxy and waits for all", .enabled(if: Command.isInstalled("jq")))
    func farm() async throws {
        let script = try Self.block("sh", of: "docs/ci.md", with: "PINPROOF_CLIENTS")
        try await Places.withFolder { folder in
            try script.write(to: folder.appending(path: "farm.sh"), atomically: true, encoding: .utf8)
            try "#!/bin/sh\necho \"$1 $PINPROOF_PROXY\" >> seen\n".write(
                to: folder.appending(path: "device.sh"), atomically: true, encoding: .utf8)
            let clients = #"{"pixel-8":"http://127.0.0.1:1","pixel-9":"http://127.0.0.1:2"}"#
            let ran = try await Command.run(
                "env", ["PINPROOF_CLIENTS=\(clients)", "sh", "-c", "chmod +x *.sh && ./farm.sh && sort seen"],
                in: folder)
            #expect(ran.output == "pixel-8 http://127.0.0.1:1\npixel-9 http://127.0.0.1:2\n", "\(ran)")
        }
    }
}
