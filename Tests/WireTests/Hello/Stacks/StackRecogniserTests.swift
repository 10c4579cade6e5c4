import Facts
import Testing

@testable import Wire

@Suite("Stacks by name")
struct StackRecogniserTests {
    @Test("the recorded hellos are all there") func fixtures() { #expect(RecordedStack.all.count == 75) }

    @Test("each recorded client is recognised as what it is, or not at all", arguments: RecordedStack.all)
    func recorded(_ stack: RecordedStack) {
        #expect(StackRecogniser.names(of: stack.hello) == [stack.name].compactMap(\.self))
    }

    @Test("the older recordings as well")
    func older() throws {
        let hellos: [([UInt8], StackName)] = [
            (RecordedHello.curl, .openssl), (RecordedHello.curlAgain, .openssl), (RecordedHello.gnutls, .gnutls),
            (RecordedHello.go, .go), (RecordedHello.node, .node), (RecordedHello.php, .php),
            (RecordedHello.java, .jsse),
            (RecordedHello.okhttp, .jsse), (RecordedHello.chromium, .chromium), (RecordedHello.earlyData, .openssl),
        ]
        for (bytes, name) in hellos { #expect(StackRecogniser.names(of: try parsed(bytes)) == [name]) }
    }

    @Test("every name but those of documents alone has a recording of its own client")
    func measured() {
        let recorded = Set(RecordedStack.all.lazy.filter(\.isMeasured).compactMap(\.name))
        let expected = Set(StackRule.all.lazy.filter(\.isMeasured).map(\.name))
        #expect(expected.subtracting(recorded) == [.boringssl])  // what is left when its settings are nobody's
        #expect(recorded.isSubset(of: expected))
        #expect(Set(StackRule.all.map(\.name)) == Set(StackName.allCases))
    }

    @Test("a hello that differs in one thing never has another stack's name", arguments: RecordedStack.all)
    func mutated(_ stack: RecordedStack) {
        for change in Self.changes(of: stack.hello) {
            let names = StackRecogniser.names(of: change.hello)
            let right: Set<StackName?> = [stack.name, stack.name?.base]
            #expect(names.allSatisfy(right.contains), "\(stack.client), \(change.what): \(names)")
        }
    }

    @Test("BoringSSL with its own list may be Dart, and is not called so")
    func candidates() throws {
        var hello = try #require(RecordedStack.all.first { $0.name == .dart }).hello
        let chacha = hello.cipherSuites.filter { $0 >> 8 == 0xcc }
        hello.cipherSuites.removeAll(where: chacha.contains)
        let place = try #require(hello.cipherSuites.firstIndex(of: 0xc009))
        hello.cipherSuites.insert(contentsOf: chacha, at: place)
        #expect(StackRecogniser.names(of: hello) == [.boringssl, .dart])
        hello.extensionTypes.insert(ExtensionType.statusRequest, at: hello.extensionTypes.firstIndex(of: 13) ?? 0)
        #expect(StackRecogniser.names(of: hello) == [.boringssl])
    }

    @Test("Windows by the suites that are documented of it, where nothing measured fits")
    func documented() {
        let suites: [UInt16] = [
            0x1302, 0x1301, 0xc02c, 0xc02b, 0xc030, 0xc02f, 0x009f, 0x009e, 0xc024, 0xc023, 0xc028, 0xc027, 0xc00a,
            0xc009, 0xc014, 0xc013, 0x009d, 0x009c, 0x003d, 0x003c, 0x0035, 0x002f,
        ]
        for stack in RecordedStack.all {
            var hello = stack.hello
            hello.cipherSuites = suites
            let names = StackRecogniser.names(of: hello)
            #expect(names.count < 2, "\(stack.client): \(names)")
            if names != [.schannel] { #expect(names.allSatisfy { $0 == stack.name || $0 == stack.name?.base }) }
        }
    }

    @Test("no rule fits a hello without extensions, or with hardly any")
    func bare() throws {
        var hello = try #require(RecordedStack.all.first).hello
        hello.extensionTypes = []
        (hello.signatureAlgorithms, hello.supportedGroups, hello.pointFormats) = (nil, nil, [])
        #expect(StackRecogniser.names(of: hello).isEmpty)
        hello.extensionTypes = [0, 10, 13]
        #expect(StackRecogniser.names(of: hello).isEmpty)
    }

    /// One extension left out, added anywhere or moved by one; one suite left out, added or moved; GREASE or not.
    private static func changes(of hello: ClientHello) -> [(hello: ClientHello, what: String)] {
        let types: [UInt16] = [0, 5, 16, 17, 18, 21, 22, 27, 28, 34, 35, 41, 42, 43, 44, 45, 49, 50, 51, 17613, 0xff01]
        let suites: [UInt16] = [0x00ff, 0x000a, 0x1301, 0x1304, 0xc02b, 0xc02c, 0xcca8, 0xc009, 0xc0ad]
        var out: [(ClientHello, String)] = []
        for (list, more, name) in [
            (\ClientHello.extensionTypes, types, "extension"), (\ClientHello.cipherSuites, suites, "suite"),
        ] {
            let old = hello[keyPath: list]
            func add(_ what: String, _ change: (inout [UInt16]) -> Void) {
                var hello = hello
                change(&hello[keyPath: list])
                out.append((hello, "\(name) \(what)"))
            }
            for index in old.indices {
                add("\(old[index]) left out") { $0.remove(at: index) }
                if index > 0 { add("\(old[index]) moved") { $0.swapAt(index, index - 1) } }
            }
            for value in more where !old.contains(value) {
                for index in 0...old.count { add("\(value) added at \(index)") { $0.insert(value, at: index) } }
            }
        }
        var other = hello
        other.isGreased.toggle()
        out.append((other, "GREASE"))
        other = hello
        other.pointFormats = other.pointFormats == [0] ? [0, 1, 2] : [0]
        out.append((other, "point formats"))
        return out
    }
}
