/// One sign by which a TLS stack is told in a ClientHello.
///
/// GREASE is left out of every list, and of the suites only those up to TLS 1.2 are looked at: those of TLS 1.3 come and
/// go with the versions that a client is set to, and their order with the processor.
enum StackTell: Hashable, Sendable {
    /// The extensions come in the order in which the library's code writes them, and none that it does not write.
    case order([UInt16])
    /// Extensions that are there.
    case has([UInt16])
    /// Extensions that are not.
    case lacks([UInt16])
    /// The suites begin so.
    case suites([UInt16])
    /// The suites are exactly one of these lists.
    case wholeSuites([[UInt16]])
    /// The signature algorithms begin like one of these lists.
    case signatures([[UInt16]])
    /// ec_point_formats (RFC 8422 §5.1.2).
    case pointFormats([UInt8])
    /// compress_certificate (RFC 8879).
    case compression([UInt16])
    /// Whether there are GREASE values (RFC 8701).
    case greased(Bool)

    func holds(for hello: ClientHello) -> Bool {
        switch self {
        case .order(let order): Self.isWritten(hello.extensionTypes, inOrder: order)
        case .has(let types): types.allSatisfy(hello.extensionTypes.contains)
        case .lacks(let types): !types.contains(where: hello.extensionTypes.contains)
        case .suites(let first): hello.olderSuites.starts(with: first)
        case .wholeSuites(let lists): lists.contains { $0.elementsEqual(hello.olderSuites) }
        case .signatures(let lists): lists.contains { hello.signatureAlgorithms?.starts(with: $0) ?? false }
        case .pointFormats(let formats): hello.pointFormats == formats
        case .compression(let algorithms): hello.certificateCompression == algorithms
        case .greased(let isGreased): hello.isGreased == isGreased
        }
    }

    private static func isWritten(_ types: [UInt16], inOrder order: [UInt16]) -> Bool {
        var rest = order[...]
        for type in types {
            guard let place = rest.firstIndex(of: type) else { return false }
            rest = rest[(place + 1)...]
        }
        return true
    }
}

extension ClientHello {
    /// Those up to TLS 1.2.
    fileprivate var olderSuites: some Sequence<UInt16> { cipherSuites.lazy.filter { $0 >> 8 != 0x13 } }
}
