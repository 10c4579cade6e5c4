import NIOCore
import NIOSSL
import NIOTLS

struct Target: Sendable {
    let host: String
    let port: Int
    let path: String
}

/// Asks the proxy for a tunnel, then starts TLS in it and leaves.
final class Connect: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let tls: TLS
    private let target: Target
    private let answer: EventLoopPromise<String>
    private var head = ""

    init(tls: TLS, target: Target, answer: EventLoopPromise<String>) {
        (self.tls, self.target, self.answer) = (tls, target, answer)
    }

    func channelActive(context: ChannelHandlerContext) {
        let name = "\(target.host):\(target.port)"
        let request = ByteBuffer(string: "CONNECT \(name) HTTP/1.1\r\nHost: \(name)\r\n\r\n")
        context.writeAndFlush(wrapOutboundOut(request), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        head += String(buffer: unwrapInboundIn(data))
        guard head.hasSuffix("\r\n\r\n") else { return }
        guard head.hasPrefix("HTTP/1.1 200") || head.hasPrefix("HTTP/1.0 200") else {
            answer.fail(ChannelError.operationUnsupported)
            return context.close(promise: nil)
        }
        do {
            try tls.start(on: context.channel, target: target, answer: answer)
            context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
        } catch {
            answer.fail(error)
            context.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        answer.fail(error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { answer.fail(ChannelError.eof) }
}

extension Connect: RemovableChannelHandler {}

/// One GET once TLS stands; the answer is everything up to the server's close.
final class Request: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let target: Target
    private let answer: EventLoopPromise<String>
    private var text = ""

    init(target: Target, answer: EventLoopPromise<String>) { (self.target, self.answer) = (target, answer) }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case TLSUserEvent.handshakeCompleted? = event as? TLSUserEvent else { return }
        let request = "GET \(target.path) HTTP/1.1\r\nHost: \(target.host)\r\nConnection: close\r\n\r\n"
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: request)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { text += String(buffer: unwrapInboundIn(data)) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if case NIOSSLError.uncleanShutdown? = error as? NIOSSLError { return }
        answer.fail(error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if text.isEmpty { answer.fail(ChannelError.eof) } else { answer.succeed(text) }
    }
}
