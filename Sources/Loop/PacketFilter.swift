/// Which packets the kernel is to hand over: a program for its packet filter (classic BPF).
///
/// Only what shows that a connection begins, and whom it is for, passes: SYNs, ClientHellos and requests in the clear
/// over TCP, datagrams to the given ports, and clients' first packets of QUIC to any. So what it costs grows with
/// connections, not with bytes.
package struct PacketFilter: Hashable, Sendable {
    package struct Instruction: Hashable, Sendable {
        var code: UInt16
        var ifTrue: UInt8 = 0
        var ifFalse: UInt8 = 0
        var operand: UInt32
    }

    package let instructions: [Instruction]

    /// Bytes of a packet that are handed over; a hello and a head of a request lie far below.
    static let captured: UInt32 = 16 * 1024
    /// With more ports to compare, a jump would not reach; then all datagrams pass.
    static let portLimit = 128

    /// - Parameters:
    ///   - udpPorts: destinations of datagrams that are all wanted.
    ///   - loopback: index of the loopback interface, on which each packet passes twice: only the way out is taken.
    package init(udpPorts: Set<UInt16>, loopback: UInt32) {
        var program = Assembler()
        program.dropSecondTelling(loopback: loopback)
        program.load(.half, at: Ancillary.networkProtocol)
        program.jump(ifEqual: 0x0800, to: "ipv4")
        program.jump(ifEqual: 0x86dd, to: "ipv6", else: "drop")

        program.mark("ipv4")
        program.load(.half, at: 6)
        program.jump(ifAnySet: 0x1fff, to: "drop")  // a later fragment: the first one tells
        program.loadIPv4HeaderLength()
        program.load(.byte, at: 9)
        program.jump(ifEqual: 6, to: "tcp")
        program.jump(ifEqual: 17, to: "udp", else: "drop")

        program.mark("ipv6")
        program.loadIndex(40)
        program.load(.byte, at: 6)
        program.jump(ifEqual: 6, to: "tcp")
        program.jump(ifEqual: 17, to: "udp")
        // Extension headers are rare, and too much for this machine: whoever reads the packets sorts them out.
        for header: UInt32 in [0, 43, 44, 51] { program.jump(ifEqual: header, to: "take") }
        program.jump(ifEqual: 60, to: "take", else: "drop")

        program.mark("tcp")
        program.load(.byte, atIndexPlus: 13)
        program.and(0x12)
        program.jump(ifEqual: 0x02, to: "take")
        program.load(.byte, atIndexPlus: 12)
        program.shiftRight(2)
        program.and(0x3c)
        program.addIndex()
        program.moveToIndex()
        // A load beyond the end drops the packet: no payload, nothing to read.
        program.load(.half, atIndexPlus: 0)
        program.jump(ifEqual: 0x1603, to: "record")
        program.load(.word, atIndexPlus: 0)
        for word in ["GET ", "POST", "HEAD", "PUT ", "DELE", "PATC", "OPTI"] {
            program.jump(ifEqual: Self.word(word), to: "take")
        }
        program.jump(ifEqual: Self.word("PRI "), to: "take", else: "drop")
        program.mark("record")
        program.load(.byte, atIndexPlus: 5)
        program.jump(ifEqual: 1, to: "take", else: "drop")

        program.mark("udp")
        if udpPorts.count > Self.portLimit {
            program.jump(to: "take")
        } else {
            program.load(.half, atIndexPlus: 2)
            for port in udpPorts.sorted() { program.jump(ifEqual: UInt32(port), to: "take") }
        }
        program.load(.byte, atIndexPlus: 8)
        program.and(0xc0)
        program.jump(ifEqual: 0xc0, else: "drop")
        program.load(.word, atIndexPlus: 9)
        program.jump(ifEqual: 1, to: "take")
        program.jump(ifEqual: 0x6b33_43cf, to: "take", else: "drop")

        program.mark("take")
        program.end(Self.captured)
        program.mark("drop")
        program.end(0)
        instructions = program.assembled()
    }

    private static func word(_ text: String) -> UInt32 { text.utf8.reduce(0) { $0 << 8 | UInt32($1) } }
}

/// What the kernel knows beside the packet's bytes, at offsets below zero (`SKF_AD_OFF`).
private enum Ancillary {
    static let networkProtocol = UInt32(bitPattern: -0x1000)
    static let packetType = UInt32(bitPattern: -0x1000 + 4)
    static let interface = UInt32(bitPattern: -0x1000 + 8)
    static let outgoing: UInt32 = 4
}

/// Puts a filter together, with names instead of distances for its jumps.
private struct Assembler {
    enum Size: UInt16 { case word = 0x00, half = 0x08, byte = 0x10 }

    private var instructions: [PacketFilter.Instruction] = []
    private var marks: [String: Int] = [:]
    /// By instruction; nil: on to the next.
    private var targets: [Int: (ifTrue: String?, ifFalse: String?)] = [:]

    mutating func mark(_ name: String) { marks[name] = instructions.count }

    mutating func dropSecondTelling(loopback: UInt32) {
        load(.word, at: Ancillary.interface)
        jump(ifEqual: loopback, else: "elsewhere")
        load(.word, at: Ancillary.packetType)
        jump(ifEqual: Ancillary.outgoing, else: "drop")
        mark("elsewhere")
    }

    mutating func load(_ size: Size, at offset: UInt32) { add(0x20 | size.rawValue, offset) }
    mutating func load(_ size: Size, atIndexPlus offset: UInt32) { add(0x40 | size.rawValue, offset) }
    mutating func loadIPv4HeaderLength() { add(0xb1, 0) }
    mutating func loadIndex(_ value: UInt32) { add(0x01, value) }
    mutating func and(_ mask: UInt32) { add(0x54, mask) }
    mutating func shiftRight(_ count: UInt32) { add(0x74, count) }
    mutating func addIndex() { add(0x0c, 0) }
    mutating func moveToIndex() { add(0x07, 0) }
    mutating func end(_ bytes: UInt32) { add(0x06, bytes) }

    mutating func jump(ifEqual value: UInt32, to target: String? = nil, else other: String? = nil) {
        targets[instructions.count] = (target, other)
        add(0x15, value)
    }

    mutating func jump(ifAnySet mask: UInt32, to target: String) {
        targets[instructions.count] = (target, nil)
        add(0x45, mask)
    }

    mutating func jump(to target: String) {
        targets[instructions.count] = (target, target)
        add(0x15, 0)
    }

    private mutating func add(_ code: UInt16, _ operand: UInt32) {
        instructions.append(PacketFilter.Instruction(code: code, operand: operand))
    }

    /// Every mark is set, and near enough, for the only program there is: a test runs it with the most ports.
    func assembled() -> [PacketFilter.Instruction] {
        var assembled = instructions
        for (at, target) in targets {
            let distance = { (name: String?) in name.map { UInt8(clamping: (marks[$0] ?? 0) - at - 1) } ?? 0 }
            assembled[at].ifTrue = distance(target.ifTrue)
            assembled[at].ifFalse = distance(target.ifFalse)
        }
        return assembled
    }
}
