import Facts
import Testing

@testable import Loop

@Test("this machine has a loopback address")
func loopbackIsLocal() throws {
    let found = LocalAddresses.current()
    #expect(found.contains { $0.isLoopback })
    #expect(!found.contains { $0.isUnspecified })
}

@Test("addresses are asked for anew when a moment has passed, and not before")
func localAddressesAge() throws {
    let asked = Locked(0)
    let first = try #require(IPAddress("10.0.0.1"))
    let later = try #require(IPAddress("10.0.0.2"))
    var addresses = LocalAddresses {
        asked.withLock {
            $0 += 1
            return $0 == 1 ? [first] : [later]
        }
    }
    #expect(asked.withLock { $0 } == 0)
    #expect(addresses.addresses(at: 100) == [first])
    #expect(addresses.addresses(at: 100 + LocalAddresses.lifetime) == [first])
    #expect(asked.withLock { $0 } == 1)
    #expect(addresses.addresses(at: 100.1 + LocalAddresses.lifetime) == [later])
    #expect(asked.withLock { $0 } == 2)
}
