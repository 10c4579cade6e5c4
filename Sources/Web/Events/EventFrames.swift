import FlyingFox
import Foundation

/// Events as frames of a WebSocket.
///
/// Each is made when the connection can take it: nothing piles up for a slow one.
struct EventFrames: WSHandler {
    let reader: EventReader

    func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
        let reader = reader
        // A page says nothing but that it goes; when it has gone without a word, its stream ends.
        let listening = Task {
            do {
                for try await frame in client {
                    if frame.opcode == .close { break }
                    if frame.opcode == .ping { reader.notePing(Array(frame.payload)) }
                }
            } catch {}
            reader.close()
        }
        return AsyncStream<WSFrame> {
            switch await reader.next() {
            case .text(let text): return Self.frame(.text, Data(text.utf8))
            case .pong(let payload): return Self.frame(.pong, Data(payload))
            case nil:
                listening.cancel()
                return nil
            }
        }
    }

    private static func frame(_ opcode: WSFrame.Opcode, _ payload: Data) -> WSFrame {
        WSFrame(fin: true, opcode: opcode, mask: nil, payload: payload)
    }
}
