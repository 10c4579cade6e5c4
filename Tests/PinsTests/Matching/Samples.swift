import Facts

@testable import Pins

/// Pins and entries in few words: `pin(1)` is the key of which every byte is 1.
func pin(_ byte: UInt8, _ part: DeclaredPin.Part = .any, _ kind: DeclaredPin.Kind = .spkiSHA256, line: Int = 1)
    -> DeclaredPin
{
    let digest = [UInt8](repeating: byte, count: kind.size)
    let text = kind.isOfKey ? Base64.encode(digest) : Hex.encode(digest)
    return DeclaredPin(kind, part: part, text: text, digest: digest, line: line)
}

func malformedPin(_ text: String = "AAAA", _ part: DeclaredPin.Part = .any, line: Int = 1) -> DeclaredPin {
    DeclaredPin(base64: text, part: part, line: line)
}

/// A chain of keys, the server's own first.
func chain(_ bytes: UInt8...) -> [CertificateDigests] {
    bytes.map { CertificateDigests(spkiSHA256: [UInt8](repeating: $0, count: 32)) }
}

func entry(
    _ pattern: String?, _ pins: [DeclaredPin], _ format: PinFormat, line: Int = 1, known: Bool = true,
    enforced: Bool = true, expires: String? = nil, pinned: Bool? = nil
) -> DeclaredHost {
    var domain = pattern
    var reach: DeclaredHost.Reach = .itself
    // ".x" is short for x and what lies below it, however deep; "+.x" for x and one label.
    for (mark, value): (String, DeclaredHost.Reach) in [
        ("**.", .descendants), ("*.", .children), ("+.", [.itself, .children]), (".", [.itself, .descendants]),
    ] {
        if let pattern, pattern.hasPrefix(mark) {
            domain = String(pattern.dropFirst(mark.count))
            reach = value
            break
        }
    }
    return DeclaredHost(
        domain, reach, pins: pins, isPinned: pinned, pinsKnown: known, isEnforced: enforced,
        expires: expires.flatMap { CalendarDate($0) }, format: format, line: line)
}

func file(_ path: String, _ format: PinFormat, _ hosts: [DeclaredHost], notes: [PinNote] = []) -> PinFile {
    PinFile(path: path, format: format, hosts: hosts, notes: notes)
}

/// Always the same numbers for one seed (SplitMix64).
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
