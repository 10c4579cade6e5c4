import Facts
import Testing

@testable import Wire

@Suite struct SpokenNameTests {
    private func request(_ text: String) -> SpokenName { SpokenName(reading: Array(text.utf8)) }

    @Test("a ClientHello names its SNI, and says when another name may hide behind it")
    func tls() throws {
        let hellos = [
            "curl": RecordedHello.curl, "go": RecordedHello.go, "java": RecordedHello.java,
            "chromium": RecordedHello.chromium,
        ]
        for (name, bytes) in hellos {
            guard case .tls(let host, _) = SpokenName(reading: bytes) else {
                Issue.record("\(name) is not read")
                continue
            }
            #expect(host != nil, "\(name)")
            #expect(SpokenName(reading: Array(bytes.dropLast())) == .cut(host), "\(name)")
            for count in 0..<bytes.count {
                switch SpokenName(reading: Array(bytes.prefix(count))) {
                case .cut(let named): #expect(named == nil || named == host && count > 50, "\(name) \(count)")
                case .unreadable: #expect(count < 6, "\(name) \(count)")
                case .tls, .http: Issue.record("\(name) \(count)")
                }
            }
        }
    }

    @Test("a request in the clear names its Host, without the port")
    func http() {
        #expect(
            request("GET / HTTP/1.1\r\nUser-Agent: x\r\nHOST:  API.test:8080 \r\n\r\n") == .http(HostName("api.test")))
        #expect(request("POST /a HTTP/1.1\r\nHost: [2001:db8::1]\r\nA: b") == .http(HostName("2001:db8::1")))
        #expect(request("GET / HTTP/1.0\r\n\r\n") == .http(nil))
        #expect(request("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") == .http(nil))
    }

    @Test("a Host that is cut, or stands in the content, is none")
    func cut() {
        #expect(request("GET / HTTP/1.1\r\nHost: api.te") == .http(nil))
        #expect(request("POST / HTTP/1.1\r\nA: b\r\n\r\nHost: api.test\r\n") == .http(nil))
        #expect(request("GET / HTTP/1.1\r\nHost: not a host!\r\n\r\n") == .http(nil))
    }

    @Test("CONNECT is for a proxy, and names nobody that is asked directly")
    func connect() { #expect(request("CONNECT api.test:443 HTTP/1.1\r\nHost: api.test\r\n\r\n") == .unreadable) }

    @Test("anything else is unreadable")
    func others() {
        for bytes in [[], [0], [22], [22, 3], [0x80, 0x2e, 1], Array("SSH-2.0-x\r\n".utf8), Array("GETTING".utf8)] {
            #expect(SpokenName(reading: bytes as [UInt8]) == .unreadable)
        }
    }
}
