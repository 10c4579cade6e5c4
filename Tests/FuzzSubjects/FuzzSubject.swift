/// A reader of outside bytes, with what holds of it whatever those are.
///
///     try FuzzSubject.named("client-hello")?.check(bytes)
///
/// That it does not trap and ends soon is one of these things. What more there is, each subject says: the same in pieces as
/// at once, the same after writing and reading again, bounds that are kept.
package struct FuzzSubject: Sendable {
    /// Also the name of its folder of inputs.
    package let name: String
    /// Bytes of input beyond which nothing new can be met.
    package let limit: Int
    private let holds: @Sendable ([UInt8]) throws -> Void

    init(_ name: String, limit: Int = 4096, _ holds: @escaping @Sendable ([UInt8]) throws -> Void) {
        self.name = name
        self.limit = limit
        self.holds = holds
    }

    /// - Throws: `FuzzFinding`, or what the reader threw where it may not.
    package func check(_ bytes: [UInt8]) throws { try holds(bytes) }

    package static let all: [FuzzSubject] =
        [
            clientHello, proxyRequest, siteRequest, httpFraming, requestHosts, records, passthrough, dialogue, bodies,
            packets,
        ] + [http1, http2, webSocket, headerBlocks, contentCodings, contentMessages]
        + [json, evidence, flowLines, har, charles, bodyText, protobufSchema, redaction, filters, archives]
        + [profiles, pinFiles, certificates, pinMaterial, originStaples, forging]

    package static func named(_ name: String) -> FuzzSubject? { all.first { $0.name == name } }
}

/// Something that must hold did not.
package struct FuzzFinding: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

/// - Throws: a finding with both values where they differ.
func expectEqual<Value: Equatable>(
    _ one: @autoclosure () throws -> Value, _ other: @autoclosure () throws -> Value, _ what: String
) throws {
    let (one, other) = (try one(), try other())
    guard one != other else { return }
    throw FuzzFinding("\(what):\n  \(String("\(one)".prefix(2000)))\n  \(String("\(other)".prefix(2000)))")
}

func expect(_ isSo: Bool, _ what: @autoclosure () -> String) throws {
    guard isSo else { throw FuzzFinding(what()) }
}
