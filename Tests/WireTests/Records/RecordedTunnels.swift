import Facts
import Testing

/// Record sequences of real clients that were tunnelled to a genuine server (nginx, OpenSSL 3.0), as a bystander sees them.
///
/// Each line: the version, whether a request was sent and answered, client and situation, then the records. C is the
/// client and S the server; h is a handshake record, c ChangeCipherSpec, a alert, d application data; then the length.
/// `ok` accepts the server, `dead` has a pin that no longer fits, `untrusted` does not know the server's CA. Chromium
/// has no pins, and opens a spare connection.
enum RecordedTunnels {
    static let tls13 = """
        1.3 data curl-ok Ch512 Sh122 Sc Sd36 Sd994 Sd96 Sd69 Cc Cd69 Cd81 Sd282 Sd282 Sd57 Sd26 Cd61 Cd26 Sd112
        1.3 none curl-dead Ch512 Sh122 Sc Sd36 Sd994 Sd97 Sd69 Cc Cd69 Cd19 Sd282 Sd282 Sd57
        1.3 none curl-untrusted Ch512 Sh122 Sc Sd36 Sd994 Sd97 Sd69 Ca2
        1.3 data wget-ok Ch512 Sh155 Sc Sd53 Sd994 Sd96 Sd69 Cc Cd69 Sd282 Sd282 Cd179 Sd193
        1.3 none wget-dead Ch512 Sh155 Sc Sd53 Sd994 Sd97 Sd69 Cc Cd69 Sd282 Sd282
        1.3 none wget-untrusted Ch512 Sh155 Sc Sd53 Sd994 Sd97 Sd69 Cc Cd69 Sd282 Sd282
        1.3 data gnutls-cli-ok Ch389 Sh155 Sc Sd53 Sd994 Sd97 Sd69 Cc Cd69 Cd60 Sd282 Sd282 Sd193 Cd19
        1.3 none gnutls-cli-dead Ch389 Sh155 Sc Sd53 Sd994 Sd97 Sd69 Cc Cd19
        1.3 none gnutls-cli-untrusted Ch389 Sh155 Sc Sd53 Sd994 Sd97 Sd69 Cc Cd19
        1.3 data go-ok Ch255 Sh122 Sc Sd27 Sd994 Sd95 Sd53 Cc Cd53 Cd119 Sd266 Sd266 Sd193
        1.3 none go-dead Ch255 Sh122 Sc Sd27 Sd994 Sd96 Sd53 Cc Cd19
        1.3 none go-untrusted Ch255 Sh122 Sc Sd27 Sd994 Sd96 Sd53 Cc Cd19
        1.3 data node-ok Ch365 Sh122 Sc Sd27 Sd994 Sd96 Sd69 Cc Cd69 Cd79 Sd282 Sd282 Sd188 Sd19 Cd19
        1.3 none node-dead Ch365 Sh122 Sc Sd27 Sd994 Sd96 Sd69
        1.3 none node-untrusted Ch365 Sh122 Sc Sd27 Sd994 Sd96 Sd69
        1.3 data ruby-ok Ch512 Sh90 Sc Sd27 Sd994 Sd96 Sd69 Cd69 Sd282 Sd282 Cd168 Sd188 Sd19 Cd19
        1.3 none ruby-dead Ch512 Sh90 Sc Sd27 Sd994 Sd97 Sd69 Ca2
        1.3 none ruby-untrusted Ch512 Sh90 Sc Sd27 Sd994 Sd97 Sd69 Ca2
        1.3 data py-aiohttp-ok Ch512 Sh122 Sc Sd27 Sd994 Sd96 Sd69 Cc Cd69 Sd282 Sd282 Cd145 Sd193
        1.3 none py-aiohttp-dead Ch512 Sh122 Sc Sd42 Sd994 Sd96 Sd69 Cc Cd69 Cd19 Sd298 Sd298
        1.3 none py-aiohttp-untrusted Ch512 Sh122 Sc Sd27 Sd994 Sd95 Sd69
        1.3 data py-curl-cffi-ok Ch1819 Sh122 Sc Sd36 Sd994 Sd95 Sd53 Cc Cd53 Cd557 Sd266 Sd266 Sd57 Cd26 Sd85 Sd54 Cd43 Cd19
        1.3 none py-curl-cffi-dead Ch1755 Sh122 Sc Sd36 Sd994 Sd95 Sd53 Cc Cd53 Sd266 Sd266
        1.3 none py-curl-cffi-untrusted Ch1755 Sh122 Sc Sd36 Sd994 Sd96 Sd53 Cc Cd53 Sd266 Sd266 Sd57
        1.3 data py-requests-ok Ch512 Sh122 Sc Sd42 Sd994 Sd96 Sd69 Cc Cd69 Sd298 Cd165 Sd298 Sd193
        1.3 none py-requests-dead Ch512 Sh122 Sc Sd42 Sd994 Sd96 Sd69 Cc Cd69 Sd298 Sd298
        1.3 none py-requests-untrusted Ch512 Sh122 Sc Sd42 Sd994 Sd97 Sd69 Ca2
        1.3 data java-httpclient-ok Ch474 Sh122 Sc Sd36 Sd994 Sd95 Sd69 Cc Cd85 Sd282 Sd282 Sd57 Cd168 Sd85 Sd54 Cd42
        1.3 none java-httpclient-dead Ch474 Sh122 Sc Sd36 Sd994 Sd96 Sd69 Cc
        1.3 none java-httpclient-untrusted Ch474 Sh122 Sc Sd36 Sd994 Sd97 Sd69 Cc
        1.3 data java-huc-keystore-ok Ch456 Sh122 Sc Sd27 Sd994 Sd95 Sd69 Cc Cd85 Sd282 Sd282 Cd180 Sd193
        1.3 none java-huc-keystore-dead Ch456 Sh122 Sc Sd27 Sd994 Sd97 Sd69 Cc Cd35
        1.3 none java-huc-keystore-untrusted Ch456 Sh122 Sc Sd27 Sd994 Sd96 Sd69 Cc Cd35
        1.3 data java-huc-postcheck-ok Ch456 Sh122 Sc Sd27 Sd994 Sd97 Sd69 Cc Cd85 Cd180 Sd282 Sd282 Sd193
        1.3 none java-huc-postcheck-dead Ch456 Sh122 Sc Sd27 Sd994 Sd95 Sd69 Cc Cd85 Sd282 Sd282 Cd35 Cd35
        1.3 none java-huc-postcheck-untrusted Ch456 Sh122 Sc Sd27 Sd994 Sd96 Sd69 Cc Cd35
        1.3 data java-okhttp-ok Ch435 Sh122 Sc Sd36 Sd994 Sd95 Sd69 Cc Cd85 Sd282 Sd282 Sd57 Cd57 Cd48 Cd46 Cd79 Cd42 Sd84 Sd54
        1.3 none java-okhttp-dead Ch435 Sh122 Sc Sd36 Sd994 Sd96 Sd69 Cc Cd85 Sd282 Sd282 Sd57 Cd35 Cd35
        1.3 none java-okhttp-untrusted Ch435 Sh122 Sc Sd36 Sd994 Sd97 Sd69 Cc Cd35
        1.3 data swift-ahc-ok Ch1485 Sh122 Sc Sd42 Sd994 Sd96 Sd53 Cc Cd53 Sd282 Sd282 Cd60 Sd193 Cd19
        1.3 none swift-ahc-dead Ch1485 Sh122 Sc Sd42 Sd994 Sd95 Sd53 Cc Cd19
        1.3 none swift-ahc-untrusted Ch1485 Sh122 Sc Sd42 Sd994 Sd95 Sd53 Cc Cd19
        1.3 data swift-niossl-ok Ch1470 Sh122 Sc Sd27 Sd994 Sd96 Sd53 Cc Cd53 Cd60 Sd266 Sd266 Sd193 Cd19
        1.3 none swift-niossl-dead Ch1470 Sh122 Sc Sd27 Sd994 Sd97 Sd53 Cc Cd19
        1.3 none swift-niossl-untrusted Ch1470 Sh122 Sc Sd27 Sd994 Sd95 Sd53 Cc Cd19
        1.3 none chromium-ok Ch1979 Sh122 Sc Sd36 Sd994 Sd96 Sd53 Cc Cd53 Sd266 Sd266 Sd57
        1.3 data chromium-ok Ch2011 Sh122 Sc Sd36 Sd994 Sd95 Sd53 Cc Cd53 Sd266 Sd266 Sd57 Cd87 Sd26 Cd467 Sd113 Cd26 Cd165 Sd118
        1.3 data chromium-dead Ch1979 Sh122 Sc Sd36 Sd994 Sd96 Sd53 Cc Cd53 Sd266 Sd266 Sd57 Cd87 Cd467 Sd26 Cd26 Sd113 Cd165 Sd118
        1.3 none chromium-dead Ch1947 Sh122 Sc Sd36 Sd994 Sd97 Sd53 Cc Cd53 Sd266 Sd266 Sd57
        1.3 none chromium-untrusted Ch2011 Sh122 Sc Sd36 Sd994 Sd96 Sd53 Cc Cd19
        """

    static let tls12 = """
        1.2 data php-ok Ch512 Sh69 Sh972 Sh115 Sh4 Ch37 Cc Ch40 Sh218 Sc Sh40 Cd86 Sd195 Sa26 Ca26
        1.2 none php-dead Ch512 Sh69 Sh972 Sh116 Sh4 Ch37 Cc Ch40 Sh218 Sc Sh40 Ca26
        1.2 none php-untrusted Ch512 Sh69 Sh972 Sh115 Sh4 Ca2
        1.2 data curl-ok Ch512 Sh106 Sh972 Sh114 Sh4 Ch37 Cc Ch40 Sc Sh40 Sd64 Cd88 Cd68 Sd33 Cd33 Sd119
        1.2 none curl-dead Ch512 Sh106 Sh972 Sh115 Sh4 Ch37 Cc Ch40 Sc Sh40 Sd64 Ca26
        1.2 none curl-untrusted Ch512 Sh106 Sh972 Sh116 Sh4 Ca2
        1.2 data wget-ok Ch512 Sh65 Sh972 Sh149 Sh4 Ch70 Cc Ch40 Sh202 Sc Sh40 Cd186 Sd200
        1.2 none wget-dead Ch512 Sh65 Sh972 Sh147 Sh4 Ch70 Cc Ch40 Sh202 Sc Sh40
        1.2 none wget-untrusted Ch512 Sh65 Sh972 Sh149 Sh4 Ch70 Cc Ch40 Sh202 Sc Sh40
        1.2 data gnutls-cli-ok Ch389 Sh69 Sh972 Sh149 Sh4 Ch70 Cc Ch40 Sh218 Sc Sh40 Cd67 Sd200 Ca26
        1.2 none gnutls-cli-dead Ch389 Sh69 Sh972 Sh148 Sh4 Ca2
        1.2 none gnutls-cli-untrusted Ch389 Sh69 Sh972 Sh148 Sh4 Ca2
        1.2 data go-ok Ch255 Sh93 Sh972 Sh114 Sh4 Ch37 Cc Ch40 Sc Sh40 Cd126 Sd200
        1.2 none go-dead Ch255 Sh93 Sh972 Sh116 Sh4 Ca2
        1.2 none go-untrusted Ch255 Sh93 Sh972 Sh116 Sh4 Ca2
        1.2 data node-ok Ch365 Sh69 Sh972 Sh114 Sh4 Ch37 Cc Ch40 Sh218 Sc Sh40 Cd86 Sd195 Sa26 Ca26
        1.2 none node-dead Ch365 Sh69 Sh972 Sh116 Sh4 Ch37 Cc Ch40 Sh218 Sc Sh40
        1.2 none node-untrusted Ch365 Sh69 Sh972 Sh115 Sh4 Ch37 Cc Ch40 Sh218 Sc Sh40
        1.2 data py-aiohttp-ok Ch512 Sh69 Sh972 Sh115 Sh4 Ch37 Cc Ch40 Sh218 Sc Sh40 Cd152 Sd200
        1.2 none py-aiohttp-dead Ch512 Sh84 Sh972 Sh116 Sh4 Ch37 Cc Ch40 Sh218 Sc Sh40 Ca26
        1.2 none py-aiohttp-untrusted Ch512 Sh69 Sh972 Sh115 Sh4
        1.2 data py-curl-cffi-ok Ch1755 Sh78 Sh972 Sh115 Sh4 Ch37 Cc Ch40 Cd564 Sh218 Sc Sh40 Sd64 Sd92 Sd61 Cd33 Cd50 Ca26
        1.2 none py-curl-cffi-dead Ch1819 Sh78 Sh972 Sh115 Sh4 Ch37 Cc Ch40 Sh218 Sc Sh40
        1.2 none py-curl-cffi-untrusted Ch1723 Sh78 Sh972 Sh115 Sh4 Ch37 Cc Ch40 Sh218 Sc Sh40
        1.2 data java-httpclient-ok Ch474 Sh78 Sh972 Sh114 Sh4 Ch37 Cc Ch40 Sh218 Sc Sh40 Sd64 Cd93 Sd33 Cd37 Cd77 Sd120 Cd33
        1.2 none java-httpclient-dead Ch474 Sh78 Sh972 Sh114 Sh4
        1.2 none java-httpclient-untrusted Ch474 Sh78 Sh972 Sh114 Sh4 Ca2
        1.2 data java-huc-postcheck-ok Ch456 Sh69 Sh972 Sh114 Sh4 Ch37 Cc Ch40 Sh218 Sc Sh40 Cd171 Sd200
        1.2 none java-huc-postcheck-dead Ch456 Sh69 Sh972 Sh115 Sh4 Ch37 Cc Ch40 Sh218 Sc Sh40 Ca26
        1.2 none java-huc-postcheck-untrusted Ch456 Sh69 Sh972 Sh115 Sh4 Ca2
        1.2 data java-okhttp-ok Ch435 Sh78 Sh972 Sh114 Sh4 Ch37 Cc Ch40 Sh218 Sc Sh40 Sd64 Cd48 Cd39 Cd37 Cd70 Cd33 Sd91 Sd61
        1.2 none java-okhttp-dead Ch435 Sh78 Sh972 Sh115 Sh4 Ch37 Cc Ch40 Sh218 Sc Sh40 Sd64 Ca26
        1.2 none java-okhttp-untrusted Ch435 Sh78 Sh972 Sh115 Sh4 Ca2
        1.2 data swift-niossl-ok Ch1470 Sh69 Sh972 Sh114 Sh4 Ch37 Cc Ch40 Sh218 Sc Sh40 Cd67 Sd200 Ca26
        1.2 none swift-niossl-dead Ch1470 Sh69 Sh972 Sh115 Sh4 Ca2
        1.2 none swift-niossl-untrusted Ch1470 Sh69 Sh972 Sh116 Sh4 Ca2
        1.2 data chromium-ok Ch1915 Sh78 Sh972 Sh114 Sh4 Ch37 Cc Ch40 Sh218 Sc Sh40 Sd64 Cd94 Sd33 Cd474 Sd120 Cd33 Cd172 Sd125
        1.2 none chromium-ok Ch1947 Sh78 Sh972 Sh115 Sh4 Ch37 Cc Ch40 Sh218 Sc Sh40 Sd64
        1.2 none chromium-dead Ch1915 Sh78 Sh972 Sh115 Sh4 Ch37 Cc Ch40 Sh218 Sc Sh40 Sd64
        1.2 data chromium-dead Ch1915 Sh78 Sh972 Sh116 Sh4 Ch37 Cc Ch40 Sh218 Sc Sh40 Sd64 Cd94 Sd33 Cd474 Cd33 Sd120 Cd172 Sd125
        1.2 none chromium-untrusted Ch1979 Sh78 Sh972 Sh116 Sh4 Ca2
        """

    /// The server asks for a client certificate. `ec`, `rsa` and `ed` say which key it has.
    static let clientCertificates = """
        1.3 data curl-ec Ch512 Sh122 Sc Sd42 Sd91 Sd994 Sd96 Sd69 Cc Cd322 Cd97 Cd69 Cd94 Sd586 Sd586 Sd178 Cd19
        1.3 none curl-ec-dead Ch512 Sh122 Sc Sd42 Sd91 Sd994 Sd97 Sd69 Cc Cd322 Cd96 Cd69 Sd586 Sd586 Cd19
        1.3 data boringssl-ec Ch1755 Sh122 Sc Sd42 Sd91 Sd994 Sd97 Sd53 Cc Cd437 Cd659 Sd570 Sd570 Sd178 Cd19
        1.3 data gnutls-ec Ch512 Sh155 Sc Sd53 Sd91 Sd994 Sd95 Sd69 Cc Cd322 Cd97 Cd69 Sd570 Sd570 Cd175 Sd178
        1.3 data node-ec Ch365 Sh122 Sc Sd27 Sd91 Sd994 Sd96 Sd69 Cc Cd322 Cd95 Cd69 Cd74 Sd570 Sd570 Sd173 Sd19 Cd19
        1.3 data curl-rsa Ch512 Sh122 Sc Sd42 Sd91 Sd994 Sd96 Sd69 Cc Cd528 Cd281 Cd69 Cd94 Sd794 Sd794 Sd178 Cd19
        1.3 none curl-rsa-dead Ch512 Sh122 Sc Sd42 Sd91 Sd994 Sd95 Sd69 Cc Cd528 Cd281 Cd69 Cd19 Sd794 Sd794
        1.3 data boringssl-rsa Ch1723 Sh122 Sc Sd42 Sd91 Sd994 Sd95 Sd53 Cc Cd828 Sd778 Sd778 Cd659 Sd178 Cd19
        1.3 data curl-ed Ch512 Sh122 Sc Sd42 Sd91 Sd994 Sd96 Sd69 Cc Cd276 Cd89 Cd69 Cd94 Sd538 Sd538 Sd178 Cd19
        1.3 none curl-ed-dead Ch512 Sh122 Sc Sd42 Sd91 Sd994 Sd97 Sd69 Cc Cd276 Cd89 Cd69 Sd538 Sd538 Cd19
        1.3 none boringssl-ed-alert Ch1787 Sh122 Sc Sd42 Sd91 Sd994 Sd96 Sd53 Cc Cd19
        1.3 data gnutls-ed Ch512 Sh155 Sc Sd53 Sd91 Sd994 Sd97 Sd69 Cc Cd276 Cd89 Cd69 Sd538 Sd538 Cd175 Sd178
        1.3 data go-ec Ch255 Sh122 Sc Sd27 Sd91 Sd994 Sd96 Sd53 Cc Cd322 Cd97 Cd53 Cd111 Sd554 Sd554 Sd178
        1.3 data go-rsa Ch255 Sh122 Sc Sd27 Sd91 Sd994 Sd97 Sd53 Cc Cd528 Cd281 Cd53 Cd111 Sd762 Sd762 Sd178
        1.3 data go-ed Ch255 Sh122 Sc Sd27 Sd91 Sd994 Sd95 Sd53 Cc Cd276 Cd89 Cd53 Cd111 Sd522 Sd506 Sd178
        1.3 data curl-has-none Ch512 Sh122 Sc Sd42 Sd91 Sd994 Sd96 Sd69 Cc Cd25 Cd69 Cd94 Sd298 Sd298 Sd175 Cd19
        1.3 data boringssl-has-none Ch1755 Sh122 Sc Sd42 Sd91 Sd994 Sd96 Sd53 Cc Cd61 Cd659 Sd282 Sd282 Sd175 Cd19
        """

    /// HelloRetryRequest, and OpenSSL clients that pad every record to a multiple of 32, 64 or 512 bytes. What a
    /// padding client says cannot be told from its alerts, so it never counts.
    static let unusual = """
        1.3 data retry-ok Ch512 Sh88 Sc Cc Ch512 Sh187 Sd23 Sd1498 Sd97 Sd69 Cd69 Cd93 Sd250 Sd250 Sd5208 Sd19 Cd19
        1.3 none retry-dead Ch512 Sh88 Sc Cc Ch512 Sh187 Sd23 Sd1498 Sd97 Sd69 Cd69 Cd19 Sd250 Sd250 Sd19
        1.3 none retry-untrusted Ch512 Sh88 Sc Cc Ch512 Sh187 Sd23 Sd529 Sd96 Sd69 Ca2
        1.3 none padded-32-request Ch313 Sh122 Sc Sd80 Sd592 Sd144 Sd80 Cc Cd80 Sd272 Sd272 Cd80 Sd5264 Sd80 Cd48
        1.3 none padded-32-close Ch313 Sh122 Sc Sd80 Sd592 Sd144 Sd80 Cc Cd80 Sd272 Sd272 Cd48 Sd80
        1.3 none padded-64-close Ch313 Sh122 Sc Sd80 Sd592 Sd144 Sd80 Cc Cd80 Sd272 Sd272 Cd80 Sd80
        1.3 none padded-512-request Ch313 Sh122 Sc Sd80 Sd592 Sd144 Sd80 Cc Cd528 Cd528 Sd272 Sd272 Sd5264 Sd80 Cd528
        1.3 none padded-512-close Ch313 Sh122 Sc Sd80 Sd592 Sd144 Sd80 Cc Cd528 Sd272 Sd272 Cd528 Sd80
        """

    struct Tunnel: CustomTestStringConvertible {
        var name: String
        var version: TLSVersion
        var hasData: Bool
        var records: [TunnelRecord]
        var testDescription: String { "\(version) \(name)" }
    }

    static func parse(_ table: String) -> [Tunnel] {
        table.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count > 3 else { return nil }
            return Tunnel(
                name: String(words[2]), version: words[0] == "1.3" ? .tls13 : .tls12, hasData: words[1] == "data",
                records: words[3...].map { TunnelRecord(String($0)) })
        }
    }
}

/// `Cd69`: one record of one side.
struct TunnelRecord: Hashable {
    var isClient: Bool
    var type: UInt8
    var length: Int

    init(_ text: String) {
        isClient = text.hasPrefix("C")
        type = ["h": 22, "c": 20, "a": 21, "d": 23][text.dropFirst().first ?? "?"] ?? 0
        length = Int(text.dropFirst(2)) ?? 1
    }

    /// As bytes with an arbitrary payload.
    var bytes: [UInt8] {
        [type, 3, 3, UInt8(length >> 8), UInt8(length & 255)] + [UInt8](repeating: 0x5a, count: length)
    }
}
