import CEvent

extension TCPStream {
    /// A stream to the Unix socket at `path`, for programs of this machine. Reading starts with `resume`.
    ///
    /// - Throws: ECONNREFUSED where nobody listens there any more, EAGAIN where too many wait already.
    package static func local(on loop: EventLoop, at path: String) throws(SystemError) -> TCPStream {
        let descriptor = unsafe pp_connect_local(path)
        guard descriptor >= 0 else { throw SystemError("connect") }
        guard let stream = TCPStream(on: loop, accepted: AcceptedSocket(descriptor: descriptor, peer: nil)) else {
            throw SystemError("event_new", ENOMEM)
        }
        return stream
    }
}
