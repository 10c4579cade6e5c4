import Testing

@testable import Wire

@Suite("ClearBeforeTLS")
struct ClearBeforeTLSTests {
    private let answer = Array("220 go ahead\r\n".utf8)
    private let record: [UInt8] = [22, 3, 3, 0, 2, 2, 0]

    @Test("an answer in the clear is told from the TLS behind it, wherever they are cut")
    func cutAnywhere() {
        let whole = answer + record
        for cut in 0...whole.count {
            var reader = ClearBeforeTLS()
            let first = reader.read(Array(whole[..<cut]).span)
            let second = reader.read(Array(whole[cut...]).span)
            #expect(first.clear + second.clear == answer && first.tls + second.tls == record && reader.isOver)
        }
    }

    @Test("TLS alone is TLS from its first byte, an alert too, and all that follows")
    func tlsAlone() {
        for first: [UInt8] in [record, [21, 3, 1, 0, 2, 2, 40]] {
            var reader = ClearBeforeTLS()
            #expect(reader.read(first.span) == .init(tls: first) && reader.isOver)
            #expect(reader.read(answer.span) == .init(tls: answer))
        }
    }

    @Test("what is no record is in the clear, up to a limit")
    func limit() {
        var reader = ClearBeforeTLS()
        let ldap: [UInt8] = [22, 49, 46, 51]
        #expect(reader.read(ldap.span) == .init(clear: ldap) && !reader.isOver)
        _ = reader.read([UInt8](repeating: 7, count: ClearBeforeTLS.limit).span)
        #expect(reader.read(answer.span) == .init(tls: answer) && reader.isOver)
    }
}
