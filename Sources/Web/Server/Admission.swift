import Facts

/// Who may ask, and from where: the door before page and API.
///
/// A page of the web can send requests to loopback, with a name of its own in `Host` (DNS rebinding) or without one; a
/// program of another user can reach the port. None of them has the token.
struct Admission: Hashable, Sendable {
    /// Where it listens, with the port that was picked.
    let listen: Endpoint
    /// It takes connections to every address of the machine.
    let isWildcard: Bool
    let token: String

    /// Cookies know no ports: a second pinproof has another one.
    var cookieName: String { "pinproof_\(listen.port)" }

    enum Verdict: Hashable, Sendable {
        case admitted
        /// The link that was printed: the token goes from the address bar into a cookie.
        case opens
        case refused(Int, String)
    }

    func judge(_ question: Question) -> Verdict {
        guard let host = question.headers["host"], isOwn(host) else {
            return .refused(421, "this is pinproof's page at \(listen); ask for it by that address or as localhost")
        }
        if let origin = question.headers["origin"], origin != "http://" + host {
            return .refused(403, "requests of other pages are refused")
        }
        if let site = question.headers["sec-fetch-site"], site != "same-origin", site != "none",
            !isNavigation(question)
        {
            return .refused(403, "requests of other pages are refused")
        }
        if question.method == "GET", question.path.isEmpty, let given = question.query["token"] {
            return isToken(given) ? .opens : Self.wrongToken
        }
        if let credentials = question.headers["authorization"] {
            let words = credentials.split(separator: " ", maxSplits: 1)
            guard words.count == 2, words[0].lowercased() == "bearer", isToken(String(words[1])) else {
                return Self.wrongToken
            }
            return .admitted
        }
        if let cookie = question.cookie(cookieName) { return isToken(cookie) ? .admitted : Self.wrongToken }
        return .refused(
            401, "a token is needed: open the link that pinproof printed, or send Authorization: Bearer TOKEN")
    }

    private static let wrongToken = Verdict.refused(
        401, "this token is not valid: open the link that pinproof printed, or read it from --ready-file")

    /// Somebody follows a link to the page, which brings no cookie along and shows nothing to who has put it there.
    private func isNavigation(_ question: Question) -> Bool {
        question.method == "GET" && question.path.isEmpty && question.headers["sec-fetch-mode"] == "navigate"
    }

    /// An address is never bound to another by DNS, a name may be.
    private func isOwn(_ host: String) -> Bool {
        guard let endpoint = Endpoint(host.contains(":") && !host.hasSuffix("]") ? host : host + ":80") else {
            return false
        }
        guard endpoint.port == listen.port else { return false }
        if endpoint == listen || endpoint.host.text == "localhost" { return true }
        return isWildcard && endpoint.host.isIP
    }

    /// Takes as long for every wrong one.
    private func isToken(_ given: String) -> Bool {
        let (a, b) = (Array(given.utf8), Array(token.utf8))
        guard a.count == b.count, !b.isEmpty else { return false }
        return zip(a, b).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
