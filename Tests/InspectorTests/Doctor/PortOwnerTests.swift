import Testing

@testable import Inspector

@Suite("PortOwner")
struct PortOwnerTests {
    private static let table = """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4711 1 0000 100 0 0 10 0
           1: 0100007F:1F90 0100007F:A0B4 01 00000000:00000000 00:00000000 00000000  1000        0 4712 1 0000 20 4 30 10 -1
           2: 00000000000000000000000001000000:1F90 00000000000000000000000000000000:0000 0A 0:0 00:0 0 0 0 4713 1 0 1
           3: 0100007F:1F91 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4714 1 0000 100 0 0 10 0
          nonsense
        """

    @Test("of the system's table the sockets that listen at the port count, of either family, and no connections")
    func sockets() {
        #expect(PortOwner.sockets(listeningAt: 8080, in: Self.table) == ["socket:[4711]", "socket:[4713]"])
        #expect(PortOwner.sockets(listeningAt: 80, in: Self.table).isEmpty)
    }

    @Test("a program's name is its own: it is shown escaped")
    func name() {
        #expect(PortOwner(name: "no\u{1b}de", process: 7).description == "no\\u{1b}de (process 7)")
    }
}
