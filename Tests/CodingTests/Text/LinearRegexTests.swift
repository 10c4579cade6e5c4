import Testing

@testable import Coding

private func matches(_ pattern: String, _ text: String, ignoresCase: Bool = false) throws -> Bool {
    try LinearRegex(pattern, ignoresCase: ignoresCase).matches(in: text.utf8)
}

private func fault(_ pattern: String) -> RegexFault? {
    do throws(RegexFault) {
        _ = try LinearRegex(pattern, ignoresCase: false)
        return nil
    } catch {
        return error
    }
}

@Suite("regular expressions in linear time")
struct LinearRegexTests {
    @Test("it matches anywhere, with and without regard to case")
    func plain() throws {
        #expect(try matches("b+c", "abbbcd") && !matches("b+c", "abbbd"))
        #expect(try !matches("TOKEN", "a token") && matches("TOKEN", "a token", ignoresCase: true))
        #expect(try matches("É", "café", ignoresCase: true) && matches("caf.$", "café"))
        #expect(try matches("", "") && matches("^$", "") && matches("a|", "b"))
        #expect(try matches(#""id":\s*\d{3}\b"#, #"{"id": 123}"#))
        #expect(try !matches("a.b", "a\nb") && matches("(?s)a.b", "a\nb") && matches("(?m)^b$", "a\nb\nc"))
    }

    @Test("a slice, an array and a sequence of bytes that has no storage are searched alike")
    func collections() throws {
        let regex = try LinearRegex("^bc$", ignoresCase: false)
        let bytes = Array("abcd".utf8)
        #expect(regex.matches(in: bytes[1...2]) && !regex.matches(in: bytes))
        #expect(regex.matches(in: [bytes[1...1], bytes[2...2]].joined().map { $0 }))
        #expect(regex.matches(in: bytes[1...2].lazy.map { $0 }) && !regex.matches(in: [UInt8]()))
    }

    @Test("bytes that are no UTF-8 do not hide what stands around them")
    func invalid() throws {
        let bytes: [UInt8] = [0xff, 0xc3, 0x28, 0x80] + Array("secret=é1".utf8) + [0xe9, 0xc3]
        #expect(try LinearRegex("secret=.1", ignoresCase: false).matches(in: bytes))
        #expect(try LinearRegex("SECRET=É", ignoresCase: true).matches(in: bytes))
        #expect(try !LinearRegex("secrets", ignoresCase: false).matches(in: bytes))
        #expect(try !LinearRegex("a.b", ignoresCase: false).matches(in: [0x61, 0xe9, 0x62]))
        // RE2's own word for any byte.
        #expect(try LinearRegex(#"a\Cb"#, ignoresCase: false).matches(in: [0x61, 0xe9, 0x62]))
    }

    @Test("a zero byte is a byte, in pattern and text")
    func zero() throws {
        #expect(try matches("a\0b", "xa\0b") && !matches("a\0b", "a") && matches(#"\x00b$"#, "a\0b"))
    }

    @Test("a wrong pattern says what is wrong with it, and where")
    func faults() {
        #expect(fault("ab[c") == RegexFault(reason: "missing ]", fragment: "[c", offset: 2))
        #expect(fault("é a**") == RegexFault(reason: "bad repetition operator", fragment: "**", offset: 3))
        #expect(fault("x(?=y)") == RegexFault(reason: "invalid perl operator", fragment: "(?=", offset: 1))
        #expect(fault(#"(a)\1"#) == RegexFault(reason: "invalid escape sequence", fragment: #"\1"#, offset: 3))
        #expect(fault("a(b") == RegexFault(reason: "missing )"))
        #expect(fault("[z-a] [z-a]")?.reason == "invalid character class range")
        #expect(fault("[z-a] [z-a]")?.offset == nil)
        #expect(fault("a{1001}")?.fragment == "{1001}")
    }

    @Test("what a pattern may cost is bounded")
    func bounds() {
        #expect(fault(String(repeating: "a", count: LinearRegex.patternLimit)) == nil)
        #expect(fault(String(repeating: "a", count: LinearRegex.patternLimit + 1))?.reason == "longer than 4096 bytes")
        #expect(fault("((((a{30}){30}){30}){30}){30}") != nil)
        #expect(fault(String(repeating: "(", count: 2048) + String(repeating: ")", count: 2048)) == nil)
    }

    @Test(
        "a pattern that others take for ever over takes no time",
        arguments: ["(a+)+$", "(a|aa)+$", "(.*)*b", "(a?){500}a{500}$"])
    func linear(_ pattern: String) throws {
        let text = Array(repeating: UInt8(ascii: "a"), count: 100_000) + [UInt8(ascii: "!")]
        let regex = try LinearRegex(pattern, ignoresCase: false)
        let time = ContinuousClock().measure { #expect(!regex.matches(in: text)) }
        #expect(time < .seconds(1), "\(time)")
        _ = regex.matches(in: text.dropLast())
    }

    @Test("several threads match with one pattern at once")
    func threads() async throws {
        let regex = try LinearRegex("(foo|ba[rz])+[0-9]$", ignoresCase: true)
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<16 {
                group.addTask {
                    (0..<500).allSatisfy { round in
                        regex.matches(in: "xx\(round) fooBAR\(number % 10)".utf8)
                            && !regex.matches(in: "foo\(round)x".utf8)
                    }
                }
            }
            for await held in group { #expect(held) }
        }
    }

    @Test("patterns of any kind compile or fault, and never trap")
    func mutated() {
        var generator = SeededGenerator(seed: 2)
        let sample = Array(#"^(?i:a|b)*[^x-z\d]{2,5}?(?P<n>\pL+)\b\x{1F600}$"#.utf8)
        for _ in 0..<3000 {
            let pattern = String(decoding: generator.mutated(sample), as: UTF8.self)
            _ = try? LinearRegex(pattern, ignoresCase: true).matches(in: sample)
        }
    }
}
