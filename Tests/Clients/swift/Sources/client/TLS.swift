import NIOCore
import NIOSSL

/// What is trusted, and what is pinned.
struct TLS: Sendable {
    let context: NIOSSLContext
    /// The pinned SubjectPublicKeyInfo; nil: not pinned, verified as nio-ssl does by itself.
    let pinned: [UInt8]?

    init(roots: String, pinned file: String) throws {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .file(roots)
        configuration.applicationProtocols = ["http/1.1"]
        context = try NIOSSLContext(configuration: configuration)
        pinned = try file.isEmpty ? nil : NIOSSLCertificate(file: file, format: .pem).extractPublicKey().toSPKIBytes()
    }

    func start(on channel: any Channel, target: Target, answer: EventLoopPromise<String>) throws {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(handler(for: target.host))
        try pipeline.addHandler(Request(target: target, answer: answer))
    }

    private func handler(for host: String) throws -> NIOSSLClientHandler {
        guard let pinned else { return try NIOSSLClientHandler(context: context, serverHostname: host) }
        return try NIOSSLClientHandler(
            context: context, serverHostname: host,
            customVerificationCallback: { certificates, decision in
                let shown = try? certificates.first?.extractPublicKey().toSPKIBytes()
                decision.succeed(shown == pinned ? .certificateVerified : .failed)
            })
    }
}
