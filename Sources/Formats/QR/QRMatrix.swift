/// A code while it is drawn: what is always there, then the codewords, then a mask.
struct QRMatrix: Sendable {
    let size: Int
    private let version: QRVersion
    /// Row by row; true is dark.
    private(set) var modules: [Bool]
    /// No codeword stands there, and no mask changes it.
    private var isFixed: [Bool]

    init(_ version: QRVersion, codewords: [UInt8]) {
        self.version = version
        size = version.size
        modules = Array(repeating: false, count: size * size)
        isFixed = modules
        drawFixed()
        draw(codewords)
    }

    private func isDark(_ x: Int, _ y: Int) -> Bool { modules[y * size + x] }

    private mutating func fix(_ x: Int, _ y: Int, _ isDark: Bool) {
        modules[y * size + x] = isDark
        isFixed[y * size + x] = true
    }

    // MARK: What is always there (§6.3)

    private mutating func drawFixed() {
        for index in 0..<size {
            fix(6, index, index % 2 == 0)
            fix(index, 6, index % 2 == 0)
        }
        for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] { drawFinder(x, y) }
        let last = version.alignment.count - 1
        for (column, x) in version.alignment.enumerated() {
            for (row, y) in version.alignment.enumerated() {
                // A finder has that corner.
                let isCorner = [(0, 0), (0, last), (last, 0)].contains { $0 == (column, row) }
                if !isCorner { drawAlignment(x, y) }
            }
        }
        drawFormat(mask: 0)
        drawVersion()
    }

    private mutating func drawFinder(_ x: Int, _ y: Int) {
        for dy in -4...4 {
            for dx in -4...4 where (0..<size).contains(x + dx) && (0..<size).contains(y + dy) {
                let distance = max(abs(dx), abs(dy))
                fix(x + dx, y + dy, distance != 2 && distance != 4)
            }
        }
    }

    private mutating func drawAlignment(_ x: Int, _ y: Int) {
        for dy in -2...2 {
            for dx in -2...2 { fix(x + dx, y + dy, max(abs(dx), abs(dy)) != 1) }
        }
    }

    /// Level and mask, twice, with a BCH code (§7.9). Level M is 00.
    private mutating func drawFormat(mask: Int) {
        var rest = mask
        for _ in 0..<10 { rest = rest << 1 ^ (rest >> 9) * 0x537 }
        let bits = (mask << 10 | rest) ^ 0x5412
        func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
        for index in 0...5 { fix(8, index, bit(index)) }
        fix(8, 7, bit(6))
        fix(8, 8, bit(7))
        fix(7, 8, bit(8))
        for index in 9..<15 { fix(14 - index, 8, bit(index)) }
        for index in 0..<8 { fix(size - 1 - index, 8, bit(index)) }
        for index in 8..<15 { fix(8, size - 15 + index, bit(index)) }
        fix(8, size - 8, true)
    }

    /// From version 7 on (§7.10).
    private mutating func drawVersion() {
        guard version.number >= 7 else { return }
        var rest = version.number
        for _ in 0..<12 { rest = rest << 1 ^ (rest >> 11) * 0x1f25 }
        let bits = version.number << 12 | rest
        for index in 0..<18 {
            let (a, b) = (size - 11 + index % 3, index / 3)
            fix(a, b, bits >> index & 1 == 1)
            fix(b, a, bits >> index & 1 == 1)
        }
    }

    // MARK: Codewords and masks

    /// Two columns at a time from the right, up and down in turn (§7.7.3).
    private mutating func draw(_ codewords: [UInt8]) {
        var next = 0
        var right = size - 1
        while right >= 1 {
            // The column of the timing pattern is left out.
            if right == 6 { right = 5 }
            for step in 0..<size {
                for x in [right, right - 1] {
                    let y = (right + 1) & 2 == 0 ? size - 1 - step : step
                    guard !isFixed[y * size + x], next < codewords.count * 8 else { continue }
                    modules[y * size + x] = codewords[next / 8] >> (7 - next % 8) & 1 == 1
                    next += 1
                }
            }
            right -= 2
        }
    }

    func masked(_ mask: Int) -> QRMatrix {
        var matrix = self
        for y in 0..<size {
            for x in 0..<size where !isFixed[y * size + x] && Self.inverts(mask, x, y) {
                matrix.modules[y * size + x].toggle()
            }
        }
        matrix.drawFormat(mask: mask)
        return matrix
    }

    /// Table 10.
    private static func inverts(_ mask: Int, _ x: Int, _ y: Int) -> Bool {
        switch mask {
        case 0: (x + y) % 2 == 0
        case 1: y % 2 == 0
        case 2: x % 3 == 0
        case 3: (x + y) % 3 == 0
        case 4: (x / 3 + y / 2) % 2 == 0
        case 5: x * y % 2 + x * y % 3 == 0
        case 6: (x * y % 2 + x * y % 3) % 2 == 0
        default: ((x + y) % 2 + x * y % 3) % 2 == 0
        }
    }

    // MARK: Penalty

    /// How hard it is to read (§7.8.3.1): long runs, blocks, what looks like a finder, too much of one colour.
    var penalty: Int {
        var penalty = 0
        for line in 0..<size {
            penalty += Self.penalty(of: (0..<size).map { isDark($0, line) })
            penalty += Self.penalty(of: (0..<size).map { isDark(line, $0) })
        }
        for y in 0..<size - 1 {
            for x in 0..<size - 1 {
                let first = isDark(x, y)
                if first == isDark(x + 1, y), first == isDark(x, y + 1), first == isDark(x + 1, y + 1) { penalty += 3 }
            }
        }
        let dark = modules.count { $0 }
        return penalty + abs(dark * 20 - modules.count * 10) / modules.count * 10
    }

    private static func penalty(of line: [Bool]) -> Int {
        var penalty = 0
        var run = 0
        for (index, isDark) in line.enumerated() {
            run = index > 0 && line[index - 1] == isDark ? run + 1 : 1
            if run == 5 { penalty += 3 } else if run > 5 { penalty += 1 }
        }
        // 1:1:3:1:1 with four light modules before or behind it; what lies outside is light.
        let light = [Bool](repeating: false, count: 4)
        let wide = light + line + light
        for start in 0...(wide.count - finder.count - 4) {
            let window = wide[start..<start + finder.count + 4]
            if window.elementsEqual(finder + light) { penalty += 40 }
            if window.elementsEqual(light + finder) { penalty += 40 }
        }
        return penalty
    }

    private static let finder = [true, false, true, true, true, false, true]
}
