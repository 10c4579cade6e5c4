// Presentation mode: which names carry secrets, and how their values are hidden on the screen.

import { wish } from "./settings.js"

export const hidden = "[hidden]"

const whole = new Set(("pass pw pwd passwd secret secrets token tokens session sid jsessionid phpsessid sessid sig hmac jwt assertion " +
    "samlresponse samlrequest otp totp pin pincode cvv cvc cardnumber ssn auth authorization proxyauthorization bearer cookie cookies " +
    "setcookie csrf xsrf authcode codeverifier authkey sessionkey xauthkey dpop wwwauthenticate authenticationinfo").split(" "))
const ending = /(?:token|password|passwd|passphrase|passcode|secret|apikey|secretkey|privatekey|accesskey|signature|credentials?|sessionid|authorization)$/
const harmless = /(?:pagetoken|nexttoken|continuationtoken|synctoken)$/
/** How many tokens there are, or may be: those of language models. */
const counted = new RegExp("(?:^n|max|min|prompt|completion|total|input|output|cached?|creation|reasoning|thinking|num(?:ber(?:of)?)?|audio|text|image|video|" +
    "budget|context|used|remaining|limit|ratelimitreset|generated|prediction|accepted|rejected|billed|usage|maxnew|minnew|eval|per)tokens$")
/** `[0]`, `[value]`: a place in what is named before it. */
const places = /(?:\[(?:\d*|lists?|array|map|values?)\]|\.(?:\d+|lists?|array|map|values?))+$/
const holder = /(?:lists?|array|map|values?)$/

/** A secret's name, or that of several. */
function endsSecret(plain) {
    if (ending.test(plain)) return !harmless.test(plain)
    const one = plain.replace(/s$/, "")
    return one !== plain && !counted.test(plain) && !harmless.test(one) && (ending.test(one) || (/(?:key|code)$/.test(one) && whole.has(one)))
}

/** Of a header, a parameter, a field: by its letters alone, so `X-Api-Key`, `api_key` and `apiKey` are one. */
export function isSecret(name) {
    const plain = String(name).toLowerCase().replace(places, "").replace(/[^a-z0-9]/g, "")
    const bare = plain.replace(/^x/, "")
    return whole.has(plain) || whole.has(bare) || endsSecret(plain) || endsSecret(plain.replace(holder, ""))
}

/** A name of a URL, without its percent signs. */
function decoded(name) {
    try { return decodeURIComponent(name) } catch { return name }
}

export const presenting = () => wish("present")

/** The value of a parameter or a field as it may be shown; it may hold a URL or JSON of its own. */
export const shown = (name, value, on = presenting()) => !on ? value : isSecret(name) ? hidden : shownText(value, on)

/** The value of a header: what begins with the name of a scheme ends with a credential, whatever the header is called. */
export function shownHeader(name, value, on = presenting()) {
    if (!on) return value
    const scheme = /^\s*(Bearer|Basic|Token|Digest|Negotiate|NTLM|Hawk|DPoP|GNAP|ApiKey|AWS4-HMAC-SHA256)\s+\S/i.exec(value)
    return scheme && !isSecret(name) ? `${scheme[1]} ${hidden}` : shown(name, value, on)
}

/** A path or URL, its secret parameters hidden, also those of a URL within it, and the name before an `@`. */
export function shownURL(url, on = presenting()) {
    if (!on) return url
    return String(url)
        .replace(/([?&;#])([^=&#;]+)=([^&#;]*)/g, (all, before, name) => isSecret(decoded(name)) ? `${before}${name}=${hidden}` : all)
        .replace(/((?:%3f|%26|%23|%3b)([\w.-]+)%3d)(?:(?!%26|%23|%3b)[^&#;])*/gi, (all, before, name) => isSecret(name) ? before + hidden : all)
        .replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#@]*@/i, `$1${hidden}@`)
}

/** Text of any kind, without what is known to be secret by its name. */
export const shownText = (text, on = presenting()) => on ? withoutSecrets(String(text)) : text

/**
 * Of a text whose kind is not known: JSON (also in a string of JSON), forms, parts, markup, headers, and what looks like a token by itself.
 * Rather too much is hidden than too little.
 */
function withoutSecrets(text) {
    return tokens(within(pairs(quotedValues(headerLines(elements(members(parts(text))))))))
}

/** `text` with the places that `find` names replaced: it gives `{from, to, put}` after an index, or null. */
function replaced(text, find) {
    let out = ""
    let at = 0
    for (let found = find(0); found; found = find(found.to)) {
        out += text.slice(at, found.from) + found.put
        at = found.to
    }
    return at ? out + text.slice(at) : text
}

/** The first match from an index on whose name is secret. */
function secretMatch(pattern, text, from, nameOf) {
    pattern.lastIndex = from
    for (let found = pattern.exec(text); found; found = pattern.exec(text)) if (isSecret(nameOf(found))) return found
    return null
}

const part = /^content-disposition:[^\n]*?;[ \t]*name="?([^"\r\n;]*)"?[^\n]*(?:\r?\n[^\r\n]+){0,20}\r?\n\r?\n/gim

/** The parts of a multipart body, up to the next boundary. */
function parts(text) {
    return replaced(text, from => {
        const found = secretMatch(part, text, from, match => match[1])
        if (!found) return null
        const begin = found.index + found[0].length
        const end = /\r?\n--/g
        end.lastIndex = Math.max(0, begin - 2)
        return { from: begin, to: Math.max(begin, end.exec(text)?.index ?? text.length), put: hidden }
    })
}

// JSON within a string of JSON has as many backslashes before its quotes as it lies deep.
const member = /(?<!\\)(\\*)"((?:[^"\\]|\\+u[0-9a-f]{4}){0,200})\1"\s*:\s*/gi

function members(text) {
    return replaced(text, from => {
        const found = secretMatch(member, text, from, match => match[2].replace(/\\+u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(parseInt(code, 16))))
        if (!found) return null
        const begin = found.index + found[0].length
        const slashes = found[1].length
        const quote = `${found[1]}"`
        return { from: begin, to: valueEnd(text, begin, slashes), put: quote + hidden + quote }
    })
}

/** The end of a JSON value, also of one that was cut. */
function valueEnd(text, from, slashes) {
    const quote = `${"\\".repeat(slashes)}"`
    let at = from
    let depth = 0
    while (at < text.length) {
        if (text.startsWith(quote, at)) at = stringEnd(text, at + quote.length, slashes)
        else {
            if (depth === 0 && /[,}\]\s\\"]/.test(text[at])) return at
            if (text[at] === "{" || text[at] === "[") depth += 1
            if (text[at] === "}" || text[at] === "]") depth -= 1
            at += 1
        }
        if (depth === 0 && /["}\]]/.test(text[at - 1])) return at
    }
    return text.length
}

function stringEnd(text, from, slashes) {
    for (let at = text.indexOf("\"", from); at >= 0; at = text.indexOf("\"", at + 1)) {
        let before = 0
        while (at - before > from && text[at - 1 - before] === "\\") before += 1
        if (before >= slashes && (before - slashes) % (2 * (slashes + 1)) === 0) return at + 1
    }
    return text.length
}

const element = /<([\w:.-]+)(?:\s[^<>]*)?(?<!\/)>/g
const named = /<[^<>]{1,2000}?\s(?:name|key|id)\s*=\s*["']?([\w.:-]+)[^<>]{0,2000}>/gi

/** Elements of XML, and the values of elements that are named like secrets: `<input name="password" value="…">`. */
function elements(text) {
    if (!text.includes("<")) return text
    return replaced(text, from => {
        const found = secretMatch(element, text, from, match => match[1].split(":").pop())
        if (!found) return null
        const begin = found.index + found[0].length
        const end = text.indexOf(`</${found[1]}`, begin)
        return { from: begin, to: end < 0 ? text.length : end, put: hidden }
    }).replace(named, (all, name) => isSecret(name) ? all.replace(/(\svalue\s*=\s*)("[^"]*"|'[^']*'|[^\s>]+)/gi, `$1"${hidden}"`) : all)
}

/** Lines such as headers have. */
const headerLines = text => text.replace(/^([\w-]+):[ \t]*(.+)$/gm, (all, name) => isSecret(name) ? `${name}: ${hidden}` : all)

/** Keys without double quotes, as in GraphQL and in code: `password: "…"`. */
const quotedValues = text => text.replace(/(?<![\w"\\-])('?)([a-z_][\w-]{0,60})\1\s*:\s*("[^"\\]*(?:\\.[^"\\]*)*"?|'[^'\\]*(?:\\.[^'\\]*)*'?)/gi, (all, quote, name, value) =>
    isSecret(name) ? `${quote}${name}${quote}: ${value[0]}${hidden}${value[0]}` : all)

const pair = /(?:^|[?&#\s;,("'])([\w.[\]%:-]+)=/g
/** Without quotes it ends where a pair, a word, a string or an element does. */
const pairValue = /"[^"]*"?|'[^']*'?|(?:[^&\s;"<>]+|"(?![\s,}\]>:/]|$)|<(?!\/)|>(?![\s;,]|$))*/y

/** Pairs of forms, URLs, headers and attributes. */
const pairs = text => replaced(text, from => {
    const found = secretMatch(pair, text, from, match => decoded(match[1]).split(":").pop())
    if (!found) return null
    const begin = found.index + found[0].length
    pairValue.lastIndex = begin
    const value = pairValue.exec(text)?.[0] ?? ""
    const quote = /^["']/.test(value) ? value[0] : ""
    return { from: begin, to: begin + value.length, put: quote + hidden + quote }
})

/** Pairs of a URL within a URL, and names before an `@`. */
const within = text => text
    .replace(/((?:%3f|%26|%23|%3b)([\w.-]+)%3d)(?:(?!%26|%23|%3b)[^&#;\s"'<>])*/gi, (all, before, name) => isSecret(name) ? before + hidden : all)
    .replace(/\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^/?#@\s"'<>]{1,300}@/gi, `$1${hidden}@`)

/** What looks like a token by itself. */
const tokens = text => text
    .replace(/\bey[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, hidden)
    .replace(/\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${hidden}`)
