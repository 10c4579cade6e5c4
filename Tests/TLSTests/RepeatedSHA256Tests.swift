import Testing

@testable import TLS

struct RepeatedSHA256Tests {
    private func digest(_ bytes: [UInt8], _ all: RepeatedSHA256, pieces size: Int) -> String {
        let digest = all.begin()
        for start in stride(from: 0, to: bytes.count, by: size) {
            digest.add(bytes[start..<min(bytes.count, start + size)])
        }
        return digest.finish()
    }

    private func bytes(_ count: Int, _ seed: UInt8 = 0) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7 &+ $0 &* 31) &+ seed }
    }

    @Test("the same bytes have the same digest however often they come, and whatever comes in between")
    func repeated() {
        let all = RepeatedSHA256()
        let long = bytes(50_000)
        var changed = long
        changed[40_000] ^= 1
        let kinds = [
            long, changed, Array(long.prefix(30_000)), long + [1], bytes(5000, 1), bytes(100, 2), [],
            bytes(RepeatedSHA256.largest + 1, 3),
        ]
        var random = SystemRandomNumberGenerator()
        for _ in 0..<150 {
            let one = kinds[Int.random(in: 0..<kinds.count, using: &random)]
            let size = [4096, 5000, 16_384, 2 << 20][Int.random(in: 0..<4, using: &random)]
            #expect(digest(one, all, pieces: size) == SHA256.hex(one))
        }
        // Each of them often enough to be known, and then another one.
        for one in kinds {
            for _ in 0..<5 { #expect(digest(one, all, pieces: 8192) == SHA256.hex(one)) }
        }
    }

    @Test("what is kept is bounded, and learnt anew")
    func limits() {
        let all = RepeatedSHA256()
        for round in 0..<2 {
            for seed in 0..<12 as Range<UInt8> {
                let one = bytes(1_000_000, seed)
                for _ in 0..<4 { #expect(digest(one, all, pieces: 100_000) == SHA256.hex(one)) }
                #expect(all.kept <= RepeatedSHA256.limit && all.kept >= 1_000_000, "\(round)")
            }
        }
    }

    @Test("beginnings that never come again are forgotten some time")
    func beginnings() {
        let all = RepeatedSHA256()
        for number in 0..<(RepeatedSHA256.seenLimit + 10) {
            var one = bytes(RepeatedSHA256.smallest)
            one[0] = UInt8(truncatingIfNeeded: number)
            one[1] = UInt8(truncatingIfNeeded: number >> 8)
            _ = digest(one, all, pieces: 8192)
        }
        #expect(all.seen <= RepeatedSHA256.seenLimit)
    }
}
