import Facts
import Flows
import Formats
import Testing

@Suite struct FiddlerArchiveTests {
    /// A ZIP of files; those of method 8 are not really deflated.
    private func zip(_ files: [(name: String, bytes: [UInt8], method: UInt8)]) -> [UInt8] {
        func little(_ number: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(number >> (8 * $0) & 255) } }
        var out: [UInt8] = []
        var directory: [UInt8] = []
        for file in files {
            let sizes = little(file.bytes.count, 4) + little(file.bytes.count, 4) + little(file.name.utf8.count, 2)
            directory += [0x50, 0x4b, 1, 2, 20, 0, 20, 0, 0, 0, file.method, 0] + little(0, 8) + sizes + little(0, 12)
            directory += little(out.count, 4) + Sample.bytes(file.name)
            out += [0x50, 0x4b, 3, 4, 20, 0, 0, 0, file.method, 0] + little(0, 8) + sizes + little(0, 2)
            out += Sample.bytes(file.name) + file.bytes
        }
        let end = little(files.count, 2) + little(files.count, 2) + little(directory.count, 4) + little(out.count, 4)
        return out + directory + [0x50, 0x4b, 5, 6, 0, 0, 0, 0] + end + [0, 0]
    }

    private func read(_ archive: [UInt8]) throws -> [ImportStep] {
        var steps: [ImportStep] = []
        try FiddlerArchive.read(
            archive, inflate: { _ in { Array($0) } },
            decode: { body, codings in codings == ["x"] ? body.reversed() : nil },
            step: { steps.append($0) })
        return steps
    }

    private var archive: [UInt8] {
        let request =
            "POST https://a.example:8443/p?q=1 HTTP/1.1\r\nHost: a.example:8443\r\nContent-Length: 2\r\n\r\nhi"
        let answer =
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 Fine\r\nTransfer-Encoding: chunked\r\nContent-Encoding: x\r\n\r\n"
            + "3\r\ncba\r\n0\r\nX-T: 1\r\n\r\n"
        let about =
            #"<Session SID="2"><SessionTimers ClientConnected="0001-01-01T00:00:00" "#
            + #"ClientBeginRequest="2026-01-01T00:00:00.1000000+00:00" ServerBeginResponse="2026-01-01T00:00:00.1500000+00:00" "#
            + #"TCPConnectTime="7" /><SessionFlags><SessionFlag N="x-hostip" V="203.0.113.7" /><SessionFlag N="ui-comments" V="a &lt;b&gt;" />"#
        return zip([
            ("[Content_Types].xml", [], 0), ("raw/2_c.txt", Sample.bytes(request), 8),
            ("raw/2_s.txt", Sample.bytes(answer), 8),
            ("raw/2_m.xml", Sample.bytes(about), 0), ("raw/10_c.txt", Sample.bytes("nonsense"), 0),
            ("raw\\03_c.txt", Sample.bytes("CONNECT a.example:443 HTTP/1.1\r\n\r\n"), 0), ("raw/4_c.txt", [1], 99),
        ])
    }

    @Test("sessions become flows, as they were on the wire")
    func flows() throws {
        let steps = try read(archive)
        let first = try #require(steps.flows.first)
        #expect(first.flow.url == "https://a.example:8443/p?q=1" && first.flow.state == .complete)
        #expect(first.flow.server == Flow.Server(host: "a.example", port: 8443, address: "203.0.113.7:8443"))
        #expect(first.request == RecordedBody(plain: Sample.bytes("hi")))
        #expect(first.response == RecordedBody(wire: Sample.bytes("cba"), decoded: Sample.bytes("abc")))
        #expect(first.flow.response?.trailers == [HeaderField("X-T", "1")])
        #expect(first.flow.response?.informational.first?.status == 100 && first.flow.response?.reason == "Fine")
        #expect(
            first.flow.comment == "a <b>" && first.flow.timing.firstByteMS == 50 && first.flow.timing.connectMS == 7)
        #expect(steps.flows.last?.flow.kind == .tunnel && steps.flows.count == 2)
        #expect(steps.faults.map(\.place) == ["raw/4_c.txt", "raw/10_c.txt"])
    }

    @Test("an archive cut or changed anywhere is told, and no trap")
    func hostile() {
        let whole = archive
        for count in 0..<whole.count { #expect(throws: ImportFault.self) { try read(Array(whole.prefix(count))) } }
        for place in whole.indices {
            for byte: UInt8 in [0, 0x7f, 0xff] {
                var changed = whole
                changed[place] = byte
                _ = try? read(changed)
            }
        }
        #expect(throws: ImportFault.self) { try read(zip([("a.txt", [], 0)])) }
    }
}
