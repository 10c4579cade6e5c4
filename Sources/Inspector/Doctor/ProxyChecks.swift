import Facts

/// What the proxy's answer comes to.
///
/// Is it reached, is its CA the one here, do the clocks agree?
struct ProxyChecks: Sendable {
    var proxy: Endpoint
    var answer: ProxyAnswer
    var owner: PortOwner?
    var ca: LocalCA
    /// The CA was named with an option: it has to be there.
    var isCANamed = false
    /// This machine's clock when the answer came, in Unix seconds.
    var now: Double
    /// Of this program.
    var version: String

    /// Seconds that clocks may differ by: what asking and answering takes, and a leaf's dates do not mind.
    static let patience = 60.0
    /// Seconds before a CA's end from which on it is told: time to install a new one everywhere.
    static let warningTime = 30.0 * 86_400

    var checks: [DoctorCheck] { [reached, caOfProxy, validity, files, clock].compactMap(\.self) }

    /// The CA's file is there, or was named, and cannot be read.
    var isCAUnreadable: Bool {
        switch ca {
        case .found: false
        case .missing: isCANamed
        case .unusable(_, let isReadable): !isReadable
        }
    }

    private var isLocal: Bool { proxy.host.address?.isLoopback == true || proxy.host.text == "localhost" }

    // MARK: The proxy

    private var reached: DoctorCheck {
        let start = "pinproof proxy" + (proxy.description == Self.usual ? "" : " --listen \(proxy)")
        switch answer {
        case .pinproof(let about):
            let version = Printable.excerpt(about.version, limit: 20)
            let isOther = version == self.version ? "" : " (this is \(self.version))"
            return DoctorCheck("proxy", .ok, "pinproof \(version) answers on \(proxy)\(isOther)")
        case .nothingListens:
            return DoctorCheck(
                "proxy", .failed, "nothing listens on \(proxy)",
                todo: isLocal
                    ? "start `\(start)`, or name where it listens: `pinproof doctor --proxy HOST:PORT`"
                    : "start it there so that others reach it: `pinproof proxy --listen 0.0.0.0:\(proxy.port)`")
        case .other where owner?.name == "pinproof":
            return DoctorCheck(
                "proxy", .failed, "\(owner?.description ?? "pinproof") on \(proxy) does not say what it is",
                todo:
                    "an older version, or no debugging proxy, runs there: end it and start `\(start)` with this version"
            )
        case .other(let server):
            let name = owner?.description ?? server.map { "it calls itself \($0)" }
            return DoctorCheck(
                "proxy", .failed, "another program has \(proxy)" + (name.map { ": \($0)" } ?? ""),
                todo: "end that one, or take another port: `pinproof proxy --listen 127.0.0.1:0` says which")
        case .silent(let reason):
            return DoctorCheck(
                "proxy", .failed,
                "\(owner?.description ?? "whoever listens") on \(proxy) does not answer: \(Printable.excerpt(reason))",
                todo: isLocal
                    ? "if it is no pinproof, take another port: `pinproof proxy --listen 127.0.0.1:0` says which"
                    : "is the address right, and does a firewall let port \(proxy.port) pass?")
        }
    }

    static let usual = "127.0.0.1:8080"

    // MARK: The CA

    private var caOfProxy: DoctorCheck? {
        guard let about = answer.about else { return nil }
        guard let used = about.ca else {
            return DoctorCheck("ca", .skipped, "the proxy does not say which CA it uses")
        }
        let short = Self.short(used.sha256)
        let take = "let clients trust the proxy's own, which http://\(AboutProxy.host)/ has through the proxy"
        switch ca {
        case .found(let here) where here.sha256 == used.sha256:
            return DoctorCheck("ca", .ok, "the proxy uses the CA that lies here (sha-256 \(short))")
        case .found(let here):
            return DoctorCheck(
                "ca", isLocal ? .failed : .warning,
                "the proxy uses another CA (sha-256 \(short)) than the one here (\(Self.short(here.sha256)))",
                todo: "\(take); or name it: `pinproof doctor --ca DIR`")
        case .unusable:
            return DoctorCheck(
                "ca", .skipped, "it is not known whether the proxy uses the CA here (its sha-256 is \(short))")
        case .missing:
            return DoctorCheck(
                "ca", isLocal ? .warning : .ok, "the proxy's CA (sha-256 \(short)) does not lie here",
                todo: isLocal ? "\(take); or name its folder: `pinproof doctor --ca DIR`" : nil)
        }
    }

    /// Enough to tell two apart.
    private static func short(_ sha256: String) -> String { Printable.escaped(String(sha256.prefix(12))) + "…" }

    /// Of the CA that counts: the proxy's, or without one that which lies here.
    private var dates: (notBefore: Double?, notAfter: Double?)? {
        answer.about?.ca.map { ($0.notBefore, $0.notAfter) } ?? ca.root.map { ($0.notBefore, $0.notAfter) }
    }

    /// Leaves begin two days before they are made: within that, clocks that are off do no harm.
    private static let leafPatience = 86_400.0

    /// This machine takes the CA's dates, and those of its leaves, for good ones, as far as they are known.
    var hasGoodDates: Bool {
        if let time = answer.about?.time, abs(now - time) > Self.leafPatience { return false }
        guard let dates else { return true }
        return (dates.notBefore ?? now) <= now && now <= (dates.notAfter ?? now)
    }

    private var validity: DoctorCheck? {
        guard let dates, let end = dates.notAfter else { return nil }
        if let begin = dates.notBefore, begin > now {
            return DoctorCheck(
                "ca-dates", .failed, "the CA is valid from \(Self.day(begin)) on, and here it is \(Self.day(now))",
                todo: "set this machine's clock: clients here refuse every certificate of this CA")
        }
        let anew = "make a new one and install it everywhere: `pinproof ca remove`, then `pinproof ca init`"
        guard end > now else {
            return DoctorCheck("ca-dates", .failed, "the CA ended on \(Self.day(end))", todo: anew)
        }
        let days = Int((end - now) / 86_400)
        let left = "the CA is valid until \(Self.day(end)), \(English.count(days, "day")) from now"
        return end - now < Self.warningTime
            ? DoctorCheck("ca-dates", .warning, left, todo: anew) : DoctorCheck("ca-dates", .ok, left)
    }

    private static func day(_ seconds: Double) -> String { UTCTime(unix: seconds).date.description }

    private var files: DoctorCheck? {
        switch ca {
        case .found(let facts):
            if let warning = facts.warning {
                return DoctorCheck(
                    "ca-files", .warning, warning,
                    todo: "whoever has it can sign what clients trust: take it from others")
            }
            return DoctorCheck("ca-files", .ok, "nobody else can read the CA's key")
        case .missing(let path):
            return DoctorCheck(
                "ca-files", isCANamed ? .failed : .skipped, "\(path): there is no CA here",
                todo: answer.about == nil || isCANamed
                    ? "`pinproof proxy` makes one on first use, `pinproof ca init` too" : nil)
        case .unusable(let explanation, _):
            return DoctorCheck("ca-files", .failed, explanation.message, todo: explanation.hints.first)
        }
    }

    // MARK: The clock

    private var clock: DoctorCheck? {
        guard let time = answer.about?.time else { return nil }
        let off = now - time
        guard abs(off) > Self.patience else {
            return DoctorCheck("clock", .ok, "the clocks here and of the proxy agree")
        }
        return DoctorCheck(
            "clock", .warning,
            "the clock here is \(Self.span(abs(off))) \(off > 0 ? "ahead of" : "behind") the proxy's",
            todo: "set the one that is wrong: certificates and tokens are refused for their dates")
    }

    static func span(_ seconds: Double) -> String {
        switch seconds {
        case ..<120: English.count(Int(seconds), "second")
        case ..<7200: English.count(Int(seconds / 60), "minute")
        case ..<172_800: English.count(Int(seconds / 3600), "hour")
        // What a wrong answer may say is no number of days that has to fit.
        default: English.count(Int(min(seconds / 86_400, 1e6)), "day")
        }
    }
}
