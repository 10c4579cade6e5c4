import Facts

/// For a page and for a terminal.
extension QRCode {
    /// A picture with its quiet zone, black on white whatever is around it.
    ///
    /// - Parameter label: what it says, for who cannot see it.
    package func svg(label: String) -> String {
        let side = size + 2 * Self.quietZone
        var path = ""
        for y in 0..<size {
            var x = 0
            while x < size {
                let start = x
                while self[x, y] { x += 1 }
                let run = x - start
                if run > 0 { path += "M\(start + Self.quietZone) \(y + Self.quietZone)h\(run)v1h-\(run)z" }
                x += 1
            }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" shape-rendering="crispEdges" role="img" \
            aria-label="\(Self.escaped(label))"><path fill="#fff" d="M0 0h\(side)v\(side)H0z"/><path fill="#000" \
            d="\(path)"/></svg>
            """
    }

    /// Two rows of modules a line, by half blocks.
    ///
    /// - Parameter hasColour: black on white by ANSI codes. Without them light modules are drawn, as most terminals are
    ///   dark; cameras read the reverse, too.
    package func lines(hasColour: Bool) -> [String] {
        let range = -Self.quietZone..<(size + Self.quietZone)
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { y in
            let row = range.map { x -> Character in
                // Below an odd last row lies nothing, which is as light as the quiet zone.
                switch (self[x, y] == hasColour, self[x, y + 1] == hasColour) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }
            return hasColour ? "\u{1b}[30;107m\(String(row))\u{1b}[0m" : String(row)
        }
    }

    /// The same for a terminal that may be too narrow for it, or has no half blocks: nil there, as nothing else would be read.
    package func lines(columns: Int, hasUnicode: Bool, hasColour: Bool) -> [String]? {
        hasUnicode && columns >= size + 2 * Self.quietZone ? lines(hasColour: hasColour) : nil
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }
}
