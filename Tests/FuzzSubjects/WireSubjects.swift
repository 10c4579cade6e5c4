import Facts
import TLS
import Wire

/// What is read of a connection before and beside TLS.
extension FuzzSubject {
    static let clientHello = FuzzSubject("client-hello", limit: 8192) { input in
        let cut = CutInput(input)
        var whole = ClientHelloParser()
        let result = whole.read(cut.bytes)
        var inPieces = ClientHelloParser()
        var seen: [UInt8] = []
        var last = ClientHelloParser.Result.needMore
        for piece in cut.pieces {
            guard last == .needMore else { break }
            seen += piece
            last = inPieces.read(seen)
        }
        try expectEqual(last, result, "the hello in pieces and at once")
        guard case .complete(let hello) = result else { return }
        _ = Fingerprint(of: hello, sha256: { SHA256.digest($0) })
        _ = SpokenName(hello)
    }

    static let proxyRequest = FuzzSubject("proxy-request", limit: 16_384) { input in
        for keepsConnections in [false, true] {
            let cut = CutInput(input)
            let whole = requests([cut.bytes[...]], ProxyRequestReader(keepsConnections: keepsConnections))
            let inPieces = requests(cut.pieces, ProxyRequestReader(keepsConnections: keepsConnections))
            try expectEqual(inPieces, whole, "requests in pieces and at once")
        }
    }

    /// All that a reader said but `needMore`, as the proxy shows it bytes: what was consumed is not shown again.
    private static func requests(
        _ pieces: [ArraySlice<UInt8>], _ reader: ProxyRequestReader
    ) -> [ProxyRequestReader.Progress] {
        var reader = reader
        var said: [ProxyRequestReader.Progress] = []
        var held: [UInt8] = []
        for piece in pieces {
            held += piece
            reading: while said.count < 64 {
                let progress = reader.read(held)
                switch progress {
                case .needMore: break reading
                case .answer(_, let consumed):
                    held.removeFirst(consumed)
                    said.append(progress)
                    if consumed == 0 { break reading }
                case .challenge(_, _, let consumed, let isLast):
                    held.removeFirst(consumed)
                    said.append(progress)
                    if isLast { return said }
                case .complete(_, _), .refused(_, _):
                    return said + [progress]
                }
            }
        }
        return said
    }

    static let siteRequest = FuzzSubject("site-request", limit: 16_384) { input in
        let cut = CutInput(input)
        var redirect = RedirectAnswer(to: "next.test")
        var inPieces = RedirectAnswer(to: "next.test")
        redirect.feed(cut.bytes.span)
        for piece in cut.pieces { inPieces.feed(Array(piece).span) }
        try expectEqual(inPieces.answer, redirect.answer, "a redirecting answer in pieces and at once")
        var status = HTTPStatusReader()
        var statusInPieces = HTTPStatusReader()
        status.feed(cut.bytes.span)
        for piece in cut.pieces { statusInPieces.feed(Array(piece).span) }
        try expectEqual(statusInPieces.status, status.status, "a status in pieces and at once")
    }

    static let httpFraming = FuzzSubject("http-framing") { input in
        let cut = CutInput(input)
        for message in [
            HTTPMessageFraming(), HTTPMessageFraming(asReceivers: true), HTTPMessageFraming(answerTo: "GET"),
            HTTPMessageFraming(answerTo: HTTPRequestMethod("GET"), asReceivers: true),
            HTTPMessageFraming(answerTo: "CONNECT"),
            HTTPMessageFraming(answerTo: "HEAD"), HTTPMessageFraming(contentOf: .chunked),
        ] {
            let whole = try measured(message, [cut.bytes[...]])
            let inPieces = try measured(message, cut.pieces)
            try expectEqual(inPieces.taken, whole.taken, "the length of a message in pieces and at once")
            try expectEqual(inPieces.content, whole.content, "the content of a message in pieces and at once")
            try expectEqual(inPieces.message, whole.message, "a message in pieces and at once")
        }
    }

    private static func measured(
        _ message: HTTPMessageFraming, _ pieces: [ArraySlice<UInt8>]
    ) throws -> (message: HTTPMessageFraming, taken: Int, content: [UInt8]) {
        var found = (message: message, taken: 0, content: [UInt8]())
        for piece in pieces {
            let bytes = Array(piece)
            var at = 0
            while at < bytes.count, !found.message.isComplete {
                let run = found.message.next(bytes.span.extracting(at...))
                try expect(run.count > 0 && run.count <= bytes.count - at, "a run of \(run.count) bytes")
                if run.isContent { found.content += bytes[at..<(at + run.count)] }
                at += run.count
            }
            found.taken += at
        }
        return found
    }

    static let requestHosts = FuzzSubject("request-hosts", limit: 16_384) { input in
        let cut = CutInput(input)
        var whole = RequestHosts()
        var inPieces = RequestHosts()
        whole.read(cut.bytes.span)
        for piece in cut.pieces { inPieces.read(Array(piece).span) }
        try expectEqual(inPieces.hosts, whole.hosts, "hosts in pieces and at once")
        try expectEqual(inPieces.isIncomplete, whole.isIncomplete, "what is lost in pieces and at once")
    }

    static let records = FuzzSubject("records") { input in
        let cut = CutInput(input)
        var whole: [TLSRecordScanner.Record] = []
        var inPieces: [TLSRecordScanner.Record] = []
        var scanner = TLSRecordScanner()
        scanner.scan(cut.bytes) { whole.append($0) }
        var cutScanner = TLSRecordScanner()
        for piece in cut.pieces { cutScanner.scan(Array(piece)) { inPieces.append($0) } }
        try expectEqual(inPieces, whole, "records in pieces and at once")
        try expectEqual(cutScanner.isLost, scanner.isLost, "lost in pieces and at once")
        var hello = ServerHelloReader()
        var cutHello = ServerHelloReader()
        hello.feed(cut.bytes.span)
        for piece in cut.pieces { cutHello.feed(Array(piece).span) }
        try expectEqual(cutHello.hello, hello.hello, "a ServerHello in pieces and at once")
        var preface = PrefaceTest()
        var cutPreface = PrefaceTest()
        preface.feed(cut.bytes)
        for piece in cut.pieces { cutPreface.feed(Array(piece)) }
        try expectEqual(cutPreface.isPrefaceOnly, preface.isPrefaceOnly, "a preface in pieces and at once")
        _ = FirstBytesShape.describe(cut.bytes)
    }

    static let passthrough = FuzzSubject("passthrough", limit: 8192) { input in
        let talk = TalkInput(input)
        var whole = PassthroughTap(hello: nil)
        var inPieces = PassthroughTap(hello: nil)
        for turn in talk.turns {
            let bytes = Array(turn.bytes)
            if turn.direction == .up { whole.fromClient(bytes) } else { whole.fromServer(bytes) }
        }
        for turn in talk.pieces {
            let bytes = Array(turn.bytes)
            if turn.direction == .up { inPieces.fromClient(bytes) } else { inPieces.fromServer(bytes) }
        }
        try expectEqual(inPieces.isLost, whole.isLost, "lost in pieces and at once")
        guard !whole.isLost else { return }
        try expectEqual(inPieces.records, whole.records, "records in pieces and at once")
        try expectEqual(inPieces.requests, whole.requests, "requests in pieces and at once")
        try expectEqual(inPieces.sawData, whole.sawData, "data in pieces and at once")
        try expectEqual(inPieces.clientAlert, whole.clientAlert, "the client's alert in pieces and at once")
        try expectEqual(inPieces.serverAlert, whole.serverAlert, "the server's alert in pieces and at once")
    }

    /// Nothing that either side says before TLS is lost, whatever it is.
    static let dialogue = FuzzSubject("dialogue", limit: 8192) { input in
        let cut = CutInput(input)
        var late = LateHello()
        var passed: [UInt8] = []
        for piece in cut.pieces {
            let finding = late.read(Array(piece).span)
            passed += finding.before + finding.rest
            if finding.isOver { break }
        }
        passed += late.release()
        try expect(cut.bytes.starts(with: passed), "a hello that comes late: other bytes are passed on than came")
        var clear = ClearBeforeTLS()
        var (inClear, behind): ([UInt8], [UInt8]) = ([], [])
        for piece in cut.pieces {
            let part = clear.read(Array(piece).span)
            inClear += part.clear
            behind += part.tls
        }
        try expect(cut.bytes.starts(with: inClear + behind), "the clear before TLS: other bytes than came")
        var offer = OfferOfTLS()
        var cutOffer = OfferOfTLS()
        let whole = offer.fromServer(cut.bytes.span)
        try expectEqual(cut.pieces.flatMap { cutOffer.fromServer(Array($0).span) }, whole, "an offer of TLS")
        try expectEqual(whole.count, cut.bytes.count, "the length of a dialogue without its offer")
        let asked = offer.fromClient(cut.bytes.span)
        let inPieces = cut.pieces.map { cutOffer.fromClient(Array($0).span) }
        try expectEqual(inPieces.flatMap(\.onward), asked.onward, "requests for TLS")
        try expectEqual(inPieces.flatMap(\.answer), asked.answer, "answers to requests for TLS")
        var talk = ClearTalk()
        var cutTalk = ClearTalk()
        talk.read(cut.bytes.span)
        for piece in cut.pieces { cutTalk.read(Array(piece).span) }
        try expectEqual(cutTalk.saysMore, talk.saysMore, "talk in the clear")
        try expectEqual(cutTalk.count, talk.count, "the length of talk in the clear")
    }

    static let bodies = FuzzSubject("bodies", limit: 8192) { input in
        let talk = TalkInput(input)
        let alpn = [nil, "http/1.1", "h2", "other"][Int(talk.choice) % 4]
        func bodies(_ turns: [TalkInput.Turn]) throws -> [String] {
            var finder = BodyFinder(alpn: alpn)
            var found: [ExchangeDirection: String] = [.up: "", .down: ""]
            for turn in turns {
                let bytes = Array(turn.bytes)
                var at = 0
                while at < bytes.count {
                    let run = finder.next(bytes.span.extracting(at...), turn.direction)
                    try expect(run.count > 0 && run.count <= bytes.count - at, "a run of \(run.count) bytes")
                    found[turn.direction]? += String(repeating: run.isBody ? "B" : "-", count: run.count)
                    at += run.count
                }
            }
            return [found[.up] ?? "", found[.down] ?? ""]
        }
        try expectEqual(try bodies(talk.pieces), try bodies(talk.turns), "bodies in pieces and at once")
    }

    static let packets = FuzzSubject("packets", limit: 2048) { input in
        _ = NetworkPacket.read(input.span)
        _ = QUICInitial.looksLikeQUIC(input.span)
        for initial in QUICInitial.all(in: input.span) {
            try expect(initial.range.upperBound <= input.count, "a packet beyond its datagram")
            let packet = Array(input[initial.range])
            try expect(initial.packetNumberOffset <= packet.count, "a packet number beyond its packet")
            _ = QUICInitialKeys(initial.version == .v2 ? .v2 : .v1, destinationID: initial.destinationID)
                .open(packet, packetNumberOffset: initial.packetNumberOffset)
        }
        var stream = QUICCryptoStream()
        stream.take(input)
        stream.take(Array(input.reversed()))
        _ = SpokenName(reading: input)
    }
}
