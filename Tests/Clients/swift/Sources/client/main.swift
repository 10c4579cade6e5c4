import Foundation
import NIOCore
import NIOPosix
import NIOSSL

// SwiftNIO with swift-nio-ssl. The pin stands in the custom verification callback, which replaces chain building:
// its documentation says so, and that is how it is used in the field.
let environment = ProcessInfo.processInfo.environment

func fail(_ status: Int32, _ words: String) -> Never {
    FileHandle.standardError.write(Data("\(words)\n".utf8))
    exit(status)
}

guard let url = URL(string: environment["URL"] ?? ""), let host = url.host() else { fail(2, "no URL") }
let target = Target(host: host, port: url.port ?? 443, path: url.path().isEmpty ? "/" : url.path())
let proxy = environment["PINPROOF_PROXY"].flatMap(URL.init(string:))
let timeout = Int64(environment["TIMEOUT"] ?? "") ?? 5

do {
    let tls = try TLS(roots: environment["CAFILE"] ?? "", pinned: environment["PIN_CERT"] ?? "")
    let group = MultiThreadedEventLoopGroup.singleton
    let answer = group.next().makePromise(of: String.self)
    group.next().scheduleTask(in: .seconds(timeout)) { answer.fail(ChannelError.connectTimeout(.seconds(timeout))) }
    let channel = try await ClientBootstrap(group: group)
        .channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                if proxy == nil {
                    try tls.start(on: channel, target: target, answer: answer)
                } else {
                    let connect = Connect(tls: tls, target: target, answer: answer)
                    try channel.pipeline.syncOperations.addHandler(connect)
                }
            }
        }
        .connect(host: proxy?.host() ?? target.host, port: proxy?.port ?? target.port).get()
    print(try await answer.futureResult.get(), terminator: "")
    try? await channel.closeFuture.get()
} catch {
    // A long-lived program would let its last bytes go out.
    try? await Task.sleep(for: .milliseconds(200))
    fail(error is NIOSSLError || error is BoringSSLError || error is NIOSSLExtraError ? 1 : 2, "\(error)")
}
