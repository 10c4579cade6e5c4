/// Which names say that their value is a secret.
///
/// Names are compared without case and without what parts their words: `access_token`, `accessToken` and
/// `Access-Token` are one. Of `user[password]` and `user.password` the last part counts as well.
///
/// - Whole names: `session`, `sid`, `sig`, `jwt`, `pin`, `otp`, `auth` and the like.
/// - Endings: `…token`, `…secret`, `…password`, `…apikey`, `…privatekey`, `…signature`, `…credentials`, `…sessionid`.
///   A token of a list's pages (`nextPageToken`) is none.
/// - `password` anywhere, but for what is about one (`passwordPolicy`, `password_reset_url`).
/// - In a query or a form only: `code`, from ten characters on (OAuth's codes; shorter ones are countries and errors), and
///   `key`, from sixteen.
package enum SecretNames {
    private static let whole: Set<String> = [
        "pass", "pw", "psw", "pwd", "passwd", "secret", "secrets", "token", "tokens", "session", "sid", "jsessionid",
        "phpsessid", "sessid", "connectsid", "sig", "hmac", "jwt", "assertion", "samlresponse", "samlrequest", "otp",
        "totp", "mfacode", "otpcode", "smscode", "pin", "pincode", "cvv", "cvc", "cvv2", "cardnumber", "ssn", "auth",
        "authorization", "proxyauthorization", "bearer", "cookie", "cookies", "setcookie", "csrf", "xsrf", "authcode",
        "authorizationcode", "devicecode", "usercode", "codeverifier", "verificationcode", "securitycode",
        "authenticity",
        "awsaccesskeyid", "accesskeyid", "authkey", "sessionkey", "signingkey", "encryptionkey", "masterkey",
        "macaroon",
        "mnemonic", "recoveryphrase", "recoverycode", "recoverycodes", "backupcodes", "privkey", "subscriptionkey",
        "ocpapimsubscriptionkey", "xfunctionskey", "xauthkey", "dpop", "xmscopysourceauthorization", "googleaccessid",
    ]
    private static let endings = [
        "token", "password", "passwd", "passphrase", "passcode", "secret", "apikey", "secretkey", "privatekey",
        "accesskey", "signature", "credential", "credentials", "sessionid", "authorization", "apptoken", "rapidapikey",
    ]
    private static let ofPages = [
        "pagetoken", "nexttoken", "prevtoken", "continuationtoken", "synctoken", "cursortoken",
    ]
    private static let aboutOne = [
        "url", "uri", "policy", "required", "hint", "length", "enabled", "reset", "expired", "strength", "rules",
        "type",
        "label", "placeholder", "at", "date", "expiry", "expires", "count", "error", "changed", "set", "less", "form",
    ]

    /// Where the name stands.
    enum Place { case query, body }

    /// - Parameter length: of the value, in bytes.
    static func isSecret(_ name: some Collection<UInt8>, length: Int, in place: Place) -> Bool {
        guard name.count < 128, name.count > 1 else { return false }
        let segments = name.split { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") || $0 == UInt8(ascii: ".") }
        let all = plain(name)
        if isSecret(plain: all) { return true }
        if let last = segments.last, segments.count > 1, isSecret(plain: plain(last)) { return true }
        guard place == .query else { return false }
        return all == "code" && length >= 10 || all == "key" && length >= 16
    }

    /// A header field whose whole value is left out. `Cookie` and `Set-Cookie` keep their names.
    package static func isSecretHeader(_ name: String) -> Bool {
        var name = plain(name.utf8)
        if isSecret(plain: name) { return true }
        if name.hasPrefix("x") { name.removeFirst() }
        return isSecret(plain: name) || name == "authentication" || name == "authenticationinfo"
            || name == "firebaseappcheck" || name == "firebaseauth" || name == "amzncognitoidentity"
            || name == "sectokenbinding" || name == "forwardedaccesstoken" || name == "signatureinput"
    }

    private static func isSecret(plain name: String) -> Bool {
        if whole.contains(name) { return true }
        if ofPages.contains(where: name.hasSuffix) { return false }
        if endings.contains(where: name.hasSuffix) { return true }
        guard name.contains("password") || name.contains("passwd") || name.contains("clientsecret") else {
            return false
        }
        return !aboutOne.contains(where: name.hasSuffix)
    }

    private static func plain(_ name: some Collection<UInt8>) -> String {
        String(
            decoding: name.lazy.filter(\.isAlphanumeric).map { $0 < 0x61 && $0 > 0x40 ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
