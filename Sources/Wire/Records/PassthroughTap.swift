import Facts

/// Watches a tunnelled TLS connection from the side and keeps the facts that its bytes show.
///
/// Both directions are fed in the order in which they passed; nothing is kept but record headers.
package struct PassthroughTap {
    package private(set) var dataTest: OpaqueDataTest
    /// Records of the client after the server's first, as an observation keeps them.
    package private(set) var records: [Observation.Record] = []
    /// The first alert of each side that was not encrypted.
    package private(set) var clientAlert: TLSRecordScanner.PlainAlert?
    package private(set) var serverAlert: TLSRecordScanner.PlainAlert?

    private var clientScanner = TLSRecordScanner()
    private var serverScanner = TLSRecordScanner()
    private var serverHello = ServerHelloReader()
    private var serverSpoke = false

    /// The hello as far as it could be read; the bytes fed begin with it all the same.
    package init(hello: ClientHello?) { dataTest = OpaqueDataTest(hello: hello) }

    /// The origin's ServerHello was seen.
    package var serverAnswered: Bool { serverHello.hello != nil }
    package var serverVersion: TLSVersion? { serverHello.hello?.version }
    /// The client sent a request, and the server answered it. To be read when the connection has ended.
    package var sawData: Bool { dataTest.sawData }
    /// The client has sent a request, answered or not.
    package var clientAsked: Bool { dataTest.clientAsked }
    /// Requests that were answered so far.
    package var requests: Int { dataTest.requests }
    /// Nothing more can be learnt; it need not be fed any longer.
    package var isLost: Bool { clientScanner.isLost || serverScanner.isLost }

    package mutating func fromClient(_ bytes: Span<UInt8>) {
        guard !isLost else { return }
        clientScanner.scan(bytes) { record in
            dataTest.clientRecord(type: record.type, length: record.length)
            if serverSpoke, records.count < Observation.recordLimit {
                records.append(Observation.Record(type: record.type, length: record.length))
            }
            if clientAlert == nil { clientAlert = record.alert }
        }
    }

    package mutating func fromServer(_ bytes: Span<UInt8>) {
        guard !isLost else { return }
        if !serverHello.isDone {
            serverHello.feed(bytes)
            if let hello = serverHello.hello { dataTest.negotiated(hello.version) }
        }
        serverScanner.scan(bytes) { record in
            serverSpoke = true
            dataTest.serverRecord(type: record.type, length: record.length)
            if serverAlert == nil { serverAlert = record.alert }
        }
    }

    package mutating func fromClient(_ bytes: [UInt8]) { fromClient(bytes.span) }
    package mutating func fromServer(_ bytes: [UInt8]) { fromServer(bytes.span) }
}
