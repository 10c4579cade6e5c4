import Facts

/// Reads `pins.json`; its form is that of `PinList`.
package enum PinsJSONReader: PinFileReader {
    package static func recognises(_ content: PinFileContent) -> Bool {
        guard content.bytes.first(where: { $0 > 32 && $0 < 0x7f }) == UInt8(ascii: "{") else { return false }
        return ByteSearch.contains(Array("pinproof.pin-list/".utf8), in: content.bytes)
    }

    package static func read(_ content: PinFileContent, path: String) throws(PinFileFault) -> PinFile {
        var file = PinFile(path: path, format: .neutral)
        file.hosts = try list(content, notes: &file.notes).hosts.map(\.declared)
        return file
    }

    /// With names and comments, which a `PinFile` has no place for.
    ///
    /// - Parameter notes: malformed pins are told in it, and are in the list all the same.
    /// - Throws: what is no such list, with the line.
    package static func list(_ content: PinFileContent, notes: inout [PinNote]) throws(PinFileFault) -> PinList {
        let root = try LinedJSON.read(content)
        try check(root, ["schema", "hosts", "comment"], "the list")
        guard let schema = root["schema"]?.string else {
            throw PinFileFault(line: root.line, "\"schema\" is missing: it is \"\(PinList.schema)\"")
        }
        guard schema == PinList.schema else {
            throw PinFileFault(
                line: root.member("schema")?.line,
                "\"\(Printable.excerpt(schema))\" is a form of list that is not known here: \(PinList.schema) is")
        }
        guard let hosts = root["hosts"]?.array else {
            throw PinFileFault(line: root.member("hosts")?.line ?? root.line, "\"hosts\" is no list")
        }
        var list = PinList(hosts: [])
        for host in hosts { list.hosts.append(try read(host, notes: &notes)) }
        return list
    }

    private static func read(_ value: LinedJSON, notes: inout [PinNote]) throws(PinFileFault) -> PinList.Host {
        try check(
            value, ["host", "include_subdomains", "include_itself", "part", "expires", "enforced", "comment", "pins"],
            "a host")
        guard let member = value.member("host") else { throw PinFileFault(line: value.line, "a host has no \"host\"") }
        var host = PinList.Host(nil, pins: [], line: value.line)
        if member.value.value != .null {
            guard let text = member.value.string, let name = HostName(text) else {
                let wildcard = member.value.string?.hasPrefix("*") == true
                throw PinFileFault(
                    line: member.line, "\"host\" is no name of a host",
                    hints: wildcard
                        ? ["say \"include_subdomains\": \"one\" or \"all\", and leave the asterisk out"] : [])
            }
            host.name = name.text
        }
        switch try word("include_subdomains", of: value, ["none", "one", "all"]) {
        case "one": host.reach = [.itself, .children]
        case "all": host.reach = [.itself, .descendants]
        default: host.reach = .itself
        }
        if try flag("include_itself", of: value) == false {
            host.reach.remove(.itself)
            guard !host.reach.isEmpty else {
                throw PinFileFault(
                    line: value.member("include_itself")?.line,
                    "neither the host itself nor its subdomains are included")
            }
        }
        host.isEnforced = try flag("enforced", of: value) ?? true
        host.comment = try text("comment", of: value)
        if let date = try text("expires", of: value) {
            guard let day = CalendarDate(date) else {
                throw PinFileFault(line: value.member("expires")?.line, "\"expires\" is no date like 2027-01-31")
            }
            host.expires = day
        }
        let part = try part(of: value)
        guard let pins = value["pins"]?.array else {
            throw PinFileFault(line: value.member("pins")?.line ?? value.line, "\"pins\" of the host is no list")
        }
        for pin in pins { host.pins.append(try read(pin, part: part ?? .any, notes: &notes)) }
        return host
    }

    private static func read(
        _ value: LinedJSON, part: DeclaredPin.Part, notes: inout [PinNote]
    ) throws(PinFileFault) -> PinList.Pin {
        if !value.isObject {
            guard let text = value.string else {
                throw PinFileFault(line: value.line, "a pin is neither a string nor an object with \"pin\"")
            }
            return PinList.Pin(try pin(text, part, line: value.line, notes: &notes))
        }
        try check(value, ["pin", "name", "backup", "part", "comment"], "a pin")
        guard let member = value.member("pin"), let text = member.value.string else {
            throw PinFileFault(line: value.line, "a pin has no \"pin\", or none that is a string")
        }
        let own = try self.part(of: value)
        return PinList.Pin(
            try pin(text, own ?? part, line: member.value.line, notes: &notes), name: try self.text("name", of: value),
            isBackup: try flag("backup", of: value) ?? false, comment: try self.text("comment", of: value))
    }

    private static func pin(
        _ text: String, _ part: DeclaredPin.Part, line: Int, notes: inout [PinNote]
    ) throws(PinFileFault) -> DeclaredPin {
        guard let pin = PinText.prefixed(text, part: part, line: line) else {
            throw PinFileFault(
                line: line, "\"\(Printable.excerpt(text))\" does not say what it is: a pin begins with sha256/",
                hints: ["certificate-sha256/ is a certificate's fingerprint, in hexadecimal digits"])
        }
        if pin.digest == nil {
            let encoding = pin.kind.isOfKey ? "base64" : "hexadecimal digits"
            notes.append(
                PinNote(
                    .malformedPin, line: line,
                    "\"\(Printable.excerpt(text))\" is not \(pin.kind.size) bytes in \(encoding)"))
        }
        return pin
    }

    // MARK: Members

    private static func check(_ value: LinedJSON, _ known: [String], _ what: String) throws(PinFileFault) {
        guard value.isObject else { throw PinFileFault(line: value.line, "\(what) is no object") }
        if let twice = value.overwritten.first {
            throw PinFileFault(line: twice.line, "\(what) has \"\(Printable.excerpt(twice.name))\" twice")
        }
        guard let other = value.members.first(where: { !known.contains($0.name) }) else { return }
        let near = Nearest.word(to: other.name, among: known)
        throw PinFileFault(
            line: other.line, "\(what) has no key \"\(Printable.excerpt(other.name))\"",
            hints: near.map { ["did you mean \"\($0)\"?"] } ?? [])
    }

    private static func flag(_ name: String, of value: LinedJSON) throws(PinFileFault) -> Bool? {
        guard let member = value.member(name) else { return nil }
        guard let flag = member.value.bool else {
            throw PinFileFault(line: member.line, "\"\(name)\" is neither true nor false")
        }
        return flag
    }

    private static func text(_ name: String, of value: LinedJSON) throws(PinFileFault) -> String? {
        guard let member = value.member(name), member.value.value != .null else { return nil }
        guard let text = member.value.string else { throw PinFileFault(line: member.line, "\"\(name)\" is no string") }
        return text
    }

    private static func word(_ name: String, of value: LinedJSON, _ words: [String]) throws(PinFileFault) -> String? {
        guard let member = value.member(name) else { return nil }
        guard let word = member.value.string, words.contains(word) else {
            throw PinFileFault(line: member.line, "\"\(name)\" is none of \(English.list(words, "or"))")
        }
        return word
    }

    private static func part(of value: LinedJSON) throws(PinFileFault) -> DeclaredPin.Part? {
        try word("part", of: value, ["any", "leaf", "ca"]).flatMap { DeclaredPin.Part(rawValue: $0) }
    }
}
