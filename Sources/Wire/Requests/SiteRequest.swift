import Facts

/// A request to pinproof itself, in origin form.
package struct SiteRequest: Hashable, Sendable {
    package var method: String
    /// As on the wire, without the query.
    package var path: String
    /// Whom the Host field names.
    package var host: HostName?
    /// The fields that an answer can hang on, as on the wire; empty where they are absent.
    package var accept: String
    package var userAgent: String

    package init(method: String, path: String, host: HostName? = nil, accept: String = "", userAgent: String = "") {
        self.method = method
        self.path = path
        self.host = host
        self.accept = accept
        self.userAgent = userAgent
    }

    init(_ head: HTTPHead) {
        func value(_ name: StaticName) -> String {
            head.values(of: name).first.map { String(decoding: head.text($0), as: UTF8.self) } ?? ""
        }
        method = String(decoding: head.text(head.method), as: UTF8.self)
        path = String(decoding: head.text(head.target).prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
        host = head.values(of: .host).first.flatMap { HostPort.endpoint(head.text($0), defaultPort: 80)?.host }
        accept = value(.accept)
        userAgent = value(.userAgent)
    }
}

/// Reads one request to pinproof itself; what follows its head is of no interest.
package struct SiteRequestReader {
    package enum Progress: Hashable, Sendable {
        case needMore
        case complete(SiteRequest)
        /// To be closed after the answer.
        case refused(answer: [UInt8])
    }

    private var scanner = HTTPHeadScanner()

    package init() {}

    /// - Parameter bytes: all since the start.
    package mutating func read(_ bytes: [UInt8]) -> Progress {
        switch scanner.read(bytes.span) {
        case .needMore: return .needMore
        case .malformed(let error): return .refused(answer: HTTPAnswer.error(error))
        case .complete(let length):
            do throws(WireError) {
                return .complete(SiteRequest(try HTTPHead(Array(bytes.prefix(length)))))
            } catch {
                return .refused(answer: HTTPAnswer.error(error))
            }
        }
    }
}

extension StaticName {
    fileprivate static let accept = StaticName("accept")
    fileprivate static let userAgent = StaticName("user-agent")
}
