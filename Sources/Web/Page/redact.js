// Presentation mode: which names carry secrets, and how their values are hidden on the screen.

import { wish } from "./settings.js"

export const hidden = "[hidden]"

const whole = new Set(("pass pw pwd passwd secret secrets token tokens session sid jsessionid phpsessid sessid sig hmac jwt assertion " +
    "samlresponse samlrequest otp totp pin pincode cvv cvc cardnumber ssn auth authorization proxyauthorization bearer cookie cookies " +
    "setcookie csrf xsrf authcode codeverifier authkey sessionkey xauthkey dpop wwwauthenticate authenticationinfo").split(" "))
const ending = /(?:token|password|passwd|passphrase|passcode|secret|apikey|secretkey|privatekey|accesskey|signature|credentials?|sessionid|authorization)$/
const harmless = /(?:pagetoken|nexttoken|continuationtoken|synctoken)$/

/** Of a header, a parameter, a field: by its letters alone, so `X-Api-Key`, `api_key` and `apiKey` are one. */
export function isSecret(name) {
    const plain = String(name).toLowerCase().replace(/[^a-z0-9]/g, "")
    const bare = plain.replace(/^x/, "")
    return whole.has(plain) || whole.has(bare) || (ending.test(plain) && !harmless.test(plain))
}

export const presenting = () => wish("present")

/** A value as it may be shown. */
export const shown = (name, value, on = presenting()) => on && isSecret(name) ? hidden : value

/** A path or URL, its secret parameters hidden, and the name before an `@`. */
export function shownURL(url, on = presenting()) {
    if (!on) return url
    return String(url)
        .replace(/([?&;#])([^=&#;]+)=([^&#;]*)/g, (all, before, name) => isSecret(plain(name)) ? `${before}${name}=${hidden}` : all)
        .replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#@]*@/i, `$1${hidden}@`)
}

/** Text of any kind: members of JSON, pairs of forms, lines of headers, and what looks like a token by itself. */
export function shownText(text, on = presenting()) {
    if (!on) return text
    return String(text)
        .replace(/("((?:[^"\\]|\\.)*)"\s*:\s*)("(?:[^"\\]|\\.)*"?|-?[\w.+-]+)/g, (all, before, name) => isSecret(name) ? `${before}"${hidden}"` : all)
        .replace(/(^|[?&\s;])([\w.[\]%-]+)=([^&\s;]+)/g, (all, before, name) => isSecret(plain(name)) ? `${before}${name}=${hidden}` : all)
        .replace(/^([\w-]+):[ \t]*(.+)$/gm, (all, name) => isSecret(name) ? `${name}: ${hidden}` : all)
        .replace(/\bey[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, hidden)
        .replace(/\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${hidden}`)
}

function plain(name) {
    try { return decodeURIComponent(name) } catch { return name }
}
