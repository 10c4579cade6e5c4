import Facts
import Testing

@testable import Pins

@Suite("curl in texts, arrays and variables")
struct ShellTextsTests {
    private static let a = "sha256//\(CurlReaderTests.a)"

    private func hosts(_ script: String) throws -> [String] {
        try CurlReader.read(PinFileContent(script), path: "f.sh").hosts.map {
            "\($0.line) \($0.domain ?? "?") \($0.pins.filter { $0.digest != nil }.count)"
        }
    }

    @Test(
        "what is only printed is no command, and takes none with it",
        arguments: [
            "echo \"use: curl --pinnedpubkey \(a) https://no.example\"",
            "printf 'curl --pinnedpubkey \(a) https://no.example'",
            "cat <<EOF\nUsage: curl --pinnedpubkey \(a) https://no.example\nEOF",
            "cat <<-'EOF'\n\tcurl --pinnedpubkey \(a) https://no.example\n\tEOF",
        ])
    func printed(text: String) throws {
        let line = text.split(separator: "\n").count + 1
        let live = "curl --pinnedpubkey \"\(Self.a)\" https://live.example/"
        #expect(try hosts(text + "\n" + live) == ["\(line) live.example 1"])
    }

    @Test(
        "what a shell runs is a command, in whatever text it stands",
        arguments: [
            "sh -c 'cd x; curl --pinnedpubkey \"\(a)\" https://a.example'",
            "sh -c \"cd x; curl --pinnedpubkey \(a) a.example\"",
            "OUT=\"$(curl --pinnedpubkey \"\(a)\" https://a.example)\"",
            "bash <<EOF\ncurl --pinnedpubkey \(a) https://a.example\nEOF",
            "cat > run.sh <<EOF\ncurl --pinnedpubkey \(a) https://a.example\nEOF",
            "echo \"curl --pinnedpubkey \(a) https://a.example\" | sh",
            "echo \"$(curl --pinnedpubkey \(a) https://a.example)\"",
        ])
    func run(text: String) throws {
        #expect(try hosts(text + "\necho \"done\"").map { $0.dropFirst(2) } == ["a.example 1"])
    }

    @Test("options in an array are those of the command")
    func arrays() throws {
        let script = """
            ARGS=(-sS # quiet
              --pinnedpubkey "\(Self.a)")
            ARGS+=(--fail)
            curl "${ARGS[@]}" -o "my file" https://a.example
            """
        #expect(try hosts(script) == ["4 a.example 1"])
    }

    @Test(
        "a command that a variable begins is told where it is used",
        arguments: [
            "CURL=\"curl --pinnedpubkey \(a)\"\n$CURL https://a.example",
            "CURL=/usr/bin/curl\n${CURL} --pinnedpubkey \(a) a.example",
            "CURL=(curl --pinnedpubkey \(a))\n\"${CURL[@]}\" https://a.example",
        ])
    func variables(script: String) throws {
        #expect(try hosts(script) == ["2 a.example 1"])
    }

    @Test("a command without a URL is told")
    func noURL() throws {
        let file = try CurlReader.read(PinFileContent("curl --pinnedpubkey \(Self.a) \n"), path: "f.sh")
        #expect(file.hosts.map(\.domain) == [nil] && file.notes.map(\.id) == [.unresolved])
        let config = try CurlReader.read(PinFileContent("pinnedpubkey = \(Self.a)\n"), path: ".curlrc")
        #expect(config.hosts.count == 1 && config.notes.isEmpty)
    }
}
