import Support
import Testing

@testable import Wire

private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

@Suite("OfferOfTLS")
struct OfferOfTLSTests {
    @Test(
        "each protocol's offer is spoilt in its last letter, and nothing else changes",
        arguments: [
            ("250-mail.test\r\n250-STARTTLS\r\n250 SIZE 1\r\n", "250-mail.test\r\n250-STARTTLX\r\n250 SIZE 1\r\n"),
            ("* CAPABILITY IMAP4rev1 StartTLS LOGINDISABLED\r\n", "* CAPABILITY IMAP4rev1 StartTLX LOGINDISABLEX\r\n"),
            ("+OK\r\nTOP\r\nSTLS\r\n.\r\n", "+OK\r\nTOP\r\nSTLX\r\n.\r\n"),
            (
                "<stream:features><starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls></",
                "<stream:features><starttlx xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttlx></"
            ),
            ("211-Features\r\n AUTH TLS\r\n211 End\r\n", "211-Features\r\n AUTH TLX\r\n211 End\r\n"),
            ("supportedExtension1.3.6.1.4.1.1466.20037", "supportedExtension1.3.6.1.4.1.1466.20030"),
        ])
    func masked(offer: String, expected: String) {
        var whole = OfferOfTLS()
        #expect(text(whole.fromServer(Array(offer.utf8).span)) == expected && whole.wasTaken)
        var bytewise = OfferOfTLS()
        #expect(text(offer.utf8.flatMap { bytewise.fromServer([$0].span) }) == expected && bytewise.wasTaken)
    }

    @Test("so is the client's request for it")
    func request() {
        var offer = OfferOfTLS()
        #expect(text(offer.fromClient(Array("EHLO x\r\n".utf8).span).onward) == "EHLO x\r\n" && !offer.wasTaken)
        #expect(text(offer.fromClient(Array("starttls\r\n".utf8).span).onward) == "starttlx\r\n" && offer.wasTaken)
    }

    @Test("an offer that is not kept is shown, and the request for it is spoilt")
    func refused() {
        var offer = OfferOfTLS(isShown: true)
        #expect(text(offer.fromServer(Array("250 STARTTLS\r\n".utf8).span)) == "250 STARTTLS\r\n" && !offer.wasTaken)
        #expect(text(offer.fromClient(Array("STARTTLS\r\n".utf8).span).onward) == "STARTTLX\r\n" && offer.wasTaken)
        var other = OfferOfTLS(isShown: true)
        let tls: [UInt8] = [0, 0, 0, 8, 4, 210, 22, 47]
        let asked = other.fromClient(tls.span)
        #expect(asked.onward.isEmpty && asked.answer == Array("N".utf8) && other.wasTaken)
    }

    @Test("PostgreSQL's request is answered in the server's place, and the startup message goes on")
    func postgreSQL() {
        let tls: [UInt8] = [0, 0, 0, 8, 4, 210, 22, 47]
        let kerberos: [UInt8] = [0, 0, 0, 8, 4, 210, 22, 48]
        let startup: [UInt8] = [0, 0, 0, 9, 0, 3, 0, 0, 0]
        var offer = OfferOfTLS()
        let first = offer.fromClient(kerberos.span)
        #expect(first.onward == kerberos && first.answer.isEmpty && !offer.wasTaken)
        let asked = offer.fromClient(tls.span)
        #expect(asked.onward.isEmpty && asked.answer == Array("N".utf8) && offer.wasTaken)
        let goesOn = offer.fromClient(startup.span)
        #expect(goesOn.onward == startup && goesOn.answer.isEmpty)
        // What looks like it later is the client's own.
        #expect(offer.fromClient(tls.span).onward == tls)
    }

    @Test("PostgreSQL's request is known however it is cut, and what only begins like it goes on whole")
    func postgreSQLInPieces() {
        let tls: [UInt8] = [0, 0, 0, 8, 4, 210, 22, 47]
        let cancel: [UInt8] = [0, 0, 0, 16, 4, 210, 22, 46, 0, 0, 0, 1, 0, 0, 0, 2]
        for cut in 1..<tls.count {
            var offer = OfferOfTLS()
            let (begun, rest) = (Array(tls[..<cut]), tls[cut...] + [0, 0, 0, 9])
            let first = offer.fromClient(begun.span)
            #expect(first.onward.isEmpty && first.answer.isEmpty && !offer.wasTaken)
            let second = offer.fromClient(rest.span)
            #expect(second.onward == [0, 0, 0, 9] && second.answer == Array("N".utf8) && offer.wasTaken)
            var other = OfferOfTLS()
            let (head, tail) = (Array(cancel[..<cut]), Array(cancel[cut...]))
            let onward = other.fromClient(head.span).onward + other.fromClient(tail.span).onward
            #expect(onward == cancel && !other.wasTaken)
        }
    }

    @Test("what offers no TLS goes by as it came, and nothing is looked at beyond the limit", arguments: 0..<20)
    func untouched(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array("startl\n authS0123.".utf8)
        var offer = OfferOfTLS()
        for _ in 0..<50 {
            let count = Int.random(in: 0...40, using: &random)
            let bytes = (0..<count).map { _ in alphabet.randomElement(using: &random) ?? 0 }
            let seen = offer.fromServer(bytes.span)
            #expect(seen.count == bytes.count && (offer.wasTaken || seen == bytes))
        }
        var late = OfferOfTLS()
        _ = late.fromServer([UInt8](repeating: 46, count: OfferOfTLS.limit).span)
        #expect(text(late.fromServer(Array("STARTTLS".utf8).span)) == "STARTTLS" && !late.wasTaken)
    }
}
