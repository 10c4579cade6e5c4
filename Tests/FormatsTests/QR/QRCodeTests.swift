import Testing

@testable import Formats

/// The expected values are those of Nayuki's `qrcodegen` 1.8.0 for Python, made for the same bytes, level and mask.
@Suite("QR codes")
struct QRCodeTests {
    private static let url = "http://192.168.1.5:8080/"

    private static func rows(_ code: QRCode) -> [String] {
        (0..<code.size).map { y in String((0..<code.size).map { code[$0, y] ? "#" : "." }) }
    }

    /// FNV-1a of all modules, row by row.
    private static func hash(_ code: QRCode) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for y in 0..<code.size {
            for x in 0..<code.size { hash = (hash ^ (code[x, y] ? 0x31 : 0x30)) &* 0x100_0000_01b3 }
        }
        return hash
    }

    @Test("a URL of the local network is drawn as it has to be, with the mask of the least penalty")
    func url() throws {
        #expect(
            Self.rows(try #require(QRCode(Self.url))) == [
                "#######...#.##..#.#######", "#.....#.#.##..#...#.....#", "#.###.#.#.#...#.#.#.###.#",
                "#.###.#.###..####.#.###.#", "#.###.#..#.####...#.###.#", "#.....#..###.#..#.#.....#",
                "#######.#.#.#.#.#.#######", "........###..............", "#.....#.#.#.##.####..###.",
                ".#####.#...###.###..####.", "#.##.######....#..##.#.##", "#.##.#.#....#..##...##..#",
                ".#...#####....#.###.....#", "######.####.#.##.......#.", "#...###.##.....#.#.#.#.##",
                "#.#.##....#.#.#.#...#.#.#", "#....##.#...##..#####.#..", "........#....####...#.#..",
                "#######.....###.#.#.##..#", "#.....#..#.#....#...#...#", "#.###.#..#####.########..",
                "#.###.#..#..#.....##.#.##", "#.###.#..#.......#....#.#", "#.....#...##...##.###...#",
                "#######.#...#.###.#..#..#",
            ])
    }

    @Test(
        "each version is as large and as full as it may be",
        arguments: [
            (14, 21, 6, 0x2b7e_0c02_64bc_6601), (26, 25, 2, 0x661c_0b11_29b3_1939), (42, 29, 2, 0x3b35_b4d6_2476_5e02),
            (62, 33, 6, 0x6dda_d50f_2e29_9dac), (84, 37, 4, 0x1641_ee2e_e74d_febd), (106, 41, 2, 0x0043_462c_40d8_9060),
            (122, 45, 2, 0xfdb3_ee32_418a_c9bb), (152, 49, 0, 0x5014_9d8b_3eeb_1d13),
            (180, 53, 4, 0x5d92_0a4f_0975_e857), (213, 57, 5, 0x1c8d_4454_f11f_6847),
        ] as [(Int, Int, Int, UInt64)])
    func versions(length: Int, size: Int, mask: Int, hash: UInt64) throws {
        let text = String(String(repeating: "pinproof ", count: 30).prefix(length))
        let code = try #require(QRCode(text, mask: mask))
        #expect(code.size == size && Self.hash(code) == hash)
    }

    @Test("each mask is laid over the same code")
    func masks() {
        let hashes: [UInt64] = [
            0xc139_dc72_5205_3aaf, 0xfcfb_6b33_dd6e_c965, 0xf0fe_76d4_5310_c6f9, 0x8339_37d3_e63c_fb3b,
            0xe452_48c9_99a4_35c1, 0x6025_9f52_e8da_2988, 0x9294_865d_276a_23db, 0xea91_e9bb_9a87_f355,
        ]
        #expect((0..<8).compactMap { QRCode(Self.url, mask: $0).map(Self.hash) } == hashes)
    }

    @Test("what is too long is none, and around the code all is light")
    func limits() throws {
        #expect(QRCode(String(repeating: "x", count: 214)) == nil)
        let code = try #require(QRCode(""))
        #expect(code.size == 21 && !code[-1, 0] && !code[0, 21])
    }

    @Test("a picture has its quiet zone, and its label is text")
    func svg() throws {
        let svg = try #require(QRCode(Self.url)).svg(label: "a \"b\" <c> & d")
        #expect(svg.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 33 33\""))
        #expect(svg.contains("aria-label=\"a &quot;b&quot; &lt;c> &amp; d\"") && svg.contains("M4 4h7v1h-7z"))
        #expect(!svg.contains("style") && !svg.contains("script"))
    }

    @Test("on a terminal two rows are a line: black on white in colours, and light where there are none")
    func lines() throws {
        let code = try #require(QRCode(Self.url))
        let (plain, coloured) = (code.lines(hasColour: false), code.lines(hasColour: true))
        #expect(plain.count == 17 && plain.allSatisfy { $0.count == 33 })
        #expect(plain[0] == String(repeating: "█", count: 33) && plain[2].hasPrefix("████ ▄▄▄▄▄ █"))
        #expect(coloured[0] == "\u{1b}[30;107m" + String(repeating: " ", count: 33) + "\u{1b}[0m")
        #expect(coloured[2].hasPrefix("\u{1b}[30;107m    █▀▀▀▀▀█ "))
    }
}
