/// When most of many connections have gone, and what they held may go back to the system.
///
/// The C library keeps what was freed, in case it is wanted again, and after 9,000 connections that is 400 MB. Looking for
/// pages to give back takes some 100 ms a GB, so it is not done while connections come and go.
struct Ebb {
    /// Connections; fewer hold too little, some 10 MB.
    static let least = 256
    /// Looks at it in a row, a second apart.
    static let looks = 2
    /// Where no more than one of so many is left, the first look gives back already, and the second what came after it.
    static let nearlyAll = 16

    private var most = 0
    private var quiet = 0

    /// - Parameter open: how many connections there are now.
    /// - Returns: true once after each time that few are left of many, and twice where they are very few.
    mutating func isOver(open: Int) -> Bool {
        most = max(most, open)
        guard most >= Self.least, open <= most / 4 else {
            quiet = 0
            return false
        }
        quiet += 1
        guard quiet == Self.looks else { return open <= most / Self.nearlyAll }
        most = open
        quiet = 0
        return true
    }
}
