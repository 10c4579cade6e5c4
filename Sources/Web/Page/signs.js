// Control and direction characters as signs that can be seen, so that no text of a peer looks like another.

// C0 without tab and line feed, DEL and C1; marks and overrides of direction; what has no width; lone surrogates; tags.
const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|\udb40[\udc00-\udc7f]/g

function sign(character) {
    const code = character.codePointAt(0)
    if (code < 0x20) return String.fromCharCode(0x2400 + code)
    if (code === 0x7f) return "\u2421"
    return `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`
}

/** For text of several lines: tabs and line feeds stay, and a carriage return before a line feed goes. */
export function signs(text) {
    return String(text).replace(/\r\n/g, "\n").replace(unseen, sign)
}

/** For text in one line: tabs and line ends are signs, too. */
export function lineSigns(text) {
    return String(text).replace(/\t/g, "\u2409").replace(/\n/g, "\u240a").replace(unseen, sign)
}

/** The beginning of a text, in one line; a mark says that there is more. Long lines cost seconds of layout. */
export function cut(text, limit = 300) {
    const whole = String(text)
    return whole.length <= limit ? lineSigns(whole) : `${lineSigns(whole.slice(0, limit))}…`
}
