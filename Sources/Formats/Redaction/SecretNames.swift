/// Which names say that their value is a secret.
///
/// Names are compared without case and without what parts their words: `access_token`, `accessToken` and
/// `Access-Token` are one. Of `user[password]` and `user.password` the last part counts as well, and of `tokens[0]`,
/// `token[value]` and `secret.list` the one before.
///
/// - Whole names: `session`, `sid`, `sig`, `jwt`, `pin`, `otp`, `auth` and the like.
/// - Endings: `…token`, `…secret`, `…password`, `…pwd`, `…apikey`, `…appkey`, `…privatekey`, `…cardnumber`, `…signature`,
///   `…credentials`, `…sessionid` and the like.
///   Numbered ones as well (`token2`), several (`access_tokens`), and lists of them (`secret_list`). A token of a list's
///   pages (`nextPageToken`) is none, and neither are those that language models count (`max_tokens`).
/// - `password` anywhere, but for what is about one (`passwordPolicy`, `password_reset_url`).
/// - In a query or a form only: `code`, from eight characters on (OAuth's codes; shorter ones are countries and errors), and
///   `key`, from sixteen.
package enum SecretNames {
    private static let whole: Set<[UInt8]> = Set(
        [
            "pass", "pw", "psw", "pwd", "passwd", "secret", "secrets", "token", "tokens", "session", "sid",
            "jsessionid",
            "phpsessid", "sessid", "connectsid", "sig", "hmac", "jwt", "assertion", "clientassertion", "samlresponse",
            "samlrequest",
            "otp",
            "totp", "mfacode", "otpcode", "smscode", "pin", "pincode", "cvv", "cvc", "cvv2", "cardnumber", "ssn",
            "auth",
            "authorization", "proxyauthorization", "bearer", "cookie", "cookies", "setcookie", "csrf", "xsrf",
            "authcode",
            "authorizationcode", "devicecode", "usercode", "codeverifier", "verificationcode", "securitycode",
            "authenticity",
            "awsaccesskeyid", "accesskeyid", "authkey", "sessionkey", "signingkey", "encryptionkey", "masterkey",
            "macaroon",
            "mnemonic", "recoveryphrase", "recoverycode", "recoverycodes", "backupcodes", "privkey", "subscriptionkey",
            "ocpapimsubscriptionkey", "xfunctionskey", "xauthkey", "dpop", "xmscopysourceauthorization",
            "googleaccessid", "passwort", "kennwort", "motdepasse", "contrasena", "senha", "pwdhash", "securityanswer",
            "secretanswer", "privatekeypem", "userpass", "dbpass", "loginpass", "smtppass", "mailpass", "ftppass",
            "authpass",
            "proxypass",
        ].map { Array($0.utf8) })
    /// By their last letter, as nearly no name has one of these.
    private static let endings: [UInt8: [[UInt8]]] = grouped([
        "token", "password", "passwd", "passphrase", "passcode", "secret", "apikey", "secretkey", "privatekey",
        "accesskey", "signature", "credential", "credentials", "sessionid", "authorization", "apptoken", "rapidapikey",
        "pwd", "psw", "cardnumber", "hmac", "hmacsha", "appkey", "applicationkey", "accountkey",
    ])
    /// Of header fields alone.
    private static let headerEndings = grouped([
        "session", "masterkey", "authkey", "sessionkey", "clientkey", "consumerkey", "serverkey", "sharedkey",
    ])
    private static let ofPages = grouped([
        "pagetoken", "nexttoken", "prevtoken", "continuationtoken", "synctoken", "cursortoken",
    ])
    private static let aboutOne = grouped([
        "url", "uri", "policy", "required", "hint", "length", "enabled", "reset", "expired", "strength", "rules",
        "type",
        "label", "placeholder", "at", "date", "expiry", "expires", "count", "error", "changed", "set", "less", "form",
    ])
    /// Before `tokens`: how many there are, or may be.
    private static let countWords = grouped([
        "max", "min", "prompt", "completion", "total", "input", "output", "cached", "cache", "creation", "reasoning",
        "thinking", "num", "number", "numberof", "audio", "text", "image", "video", "budget", "context", "used",
        "remaining", "limit", "ratelimitreset", "generated", "prediction", "accepted", "rejected", "billed", "usage",
        "maxnew", "minnew", "eval", "per",
    ])
    /// What holds a secret and is named after it.
    private static let holders = grouped(["list", "lists", "array", "map", "value", "values"])
    private static let tokens = Array("tokens".utf8)
    private static let keysAndCodes = grouped(["key", "code"])
    private static let stems = ["password", "passwd", "clientsecret"].map { Array($0.utf8) }
    private static let code = Array("code".utf8)
    private static let key = Array("key".utf8)

    /// Bytes of a name that are looked at.
    private static let longestName = 127

    /// Where the name stands.
    enum Place { case query, body }

    /// - Parameter length: of the value, in bytes.
    static func isSecret(_ name: some Collection<UInt8>, length: Int, in place: Place) -> Bool {
        guard name.count > 1 else { return false }
        // Its end says what it is, however long it is: where another secret is taken out of it, it would be one afterwards.
        let name = Array(name.suffix(longestName))
        let all = plain(name)
        if isSecret(plain: all) { return true }
        if name.contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: ".") }) {
            var segments = name.split { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") || $0 == UInt8(ascii: ".") }
                .map { plain($0) }
            if let last = segments.last, isSecret(plain: last) { return true }
            // `[0]`, `[value]`: a place in what is named before it.
            while segments.count > 1, let last = segments.last, last.allSatisfy(\.isDigit) || isHolder(last) {
                segments.removeLast()
            }
            if let last = segments.last, isSecret(plain: last) { return true }
        }
        guard place == .query else { return false }
        return all == code && length >= 8 || all == key && length >= 16
    }

    /// Numbers under this name are counts, even where its other values are secrets: `"tokens": 12`.
    static func mayCount(_ name: some Collection<UInt8>) -> Bool {
        plain(name.suffix(longestName)).suffix(tokens.count).elementsEqual(tokens)
    }

    /// A header field whose whole value is left out. `Cookie` and `Set-Cookie` keep their names.
    package static func isSecretHeader(_ name: String) -> Bool {
        var name = plain(name.utf8)
        if isSecret(plain: name) { return true }
        if name.first == UInt8(ascii: "x") { name.removeFirst() }
        return isSecret(plain: name) || headers.contains(name) || ends(name, headerEndings)
    }

    /// Without the `X-` of the old ones.
    private static let headers = Set(
        [
            "authentication", "authenticationinfo", "firebaseappcheck", "firebaseauth", "amzncognitoidentity",
            "sectokenbinding", "forwardedaccesstoken", "signatureinput",
        ].map { Array($0.utf8) })

    private static func isSecret(plain name: [UInt8]) -> Bool {
        if whole.contains(name) { return true }
        if ends(name, ofPages) { return false }
        // `token2`, `signature256`.
        let unnumbered = name.prefix { !$0.isDigit }.count
        let isNumbered = unnumbered < name.count && name[unnumbered...].allSatisfy(\.isDigit)
        let word = isNumbered ? Array(name[..<unnumbered]) : name
        if ends(word, endings) || isSeveral(word) { return true }
        if let held = held(in: word), ends(held, endings) || isSeveral(held) { return true }
        return stems.contains { contains(name, $0) } && !ends(name, aboutOne)
    }

    /// `accesstokens`, `apikeys`; no plurals of whole names, as `sessions` and `assertions` are mostly lists of something else.
    private static func isSeveral(_ name: [UInt8]) -> Bool {
        guard name.last == UInt8(ascii: "s") else { return false }
        let one = Array(name.dropLast())
        if ends(name, [UInt8(ascii: "s"): [tokens]]) {
            let before = Array(name.dropLast(tokens.count))
            return !ends(one, ofPages) && !ends(before, countWords) && before != [UInt8(ascii: "n")]
        }
        return ends(one, endings) || ends(one, keysAndCodes) && whole.contains(one)
    }

    private static func isHolder(_ name: [UInt8]) -> Bool {
        name.last.flatMap { holders[$0] }?.contains(name) ?? false
    }

    /// `token` of `tokenvalue`.
    private static func held(in name: [UInt8]) -> [UInt8]? {
        guard let holder = name.last.flatMap({ holders[$0] })?.first(where: { name.suffix($0.count).elementsEqual($0) })
        else { return nil }
        return Array(name.dropLast(holder.count))
    }

    private static func grouped(_ words: [String]) -> [UInt8: [[UInt8]]] {
        Dictionary(grouping: words.map { Array($0.utf8) }) { $0.last ?? 0 }
    }

    private static func ends(_ name: [UInt8], _ endings: [UInt8: [[UInt8]]]) -> Bool {
        guard let last = name.last, let endings = endings[last] else { return false }
        return endings.contains { name.count >= $0.count && name.suffix($0.count).elementsEqual($0) }
    }

    private static func contains(_ name: [UInt8], _ part: [UInt8]) -> Bool {
        guard name.count >= part.count else { return false }
        return (0...(name.count - part.count)).contains { name[$0] == part[0] && name[$0...].starts(with: part) }
    }

    /// Letters and digits alone, small.
    private static func plain(_ name: some Collection<UInt8>) -> [UInt8] {
        var plain: [UInt8] = []
        plain.reserveCapacity(name.count)
        for byte in name where byte.isAlphanumeric { plain.append(byte.isDigit ? byte : byte | 0x20) }
        return plain
    }
}
