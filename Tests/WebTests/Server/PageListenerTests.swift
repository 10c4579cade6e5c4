import Testing

@testable import Web

@Suite struct PageListenerTests {
    @Test(
        "page and API take no more sockets than a sixteenth of what the process may have open",
        arguments: [(64, 8), (256, 16), (1024, 64), (4096, 256), (1_048_576, 256)])
    func limits(descriptors: Int, limit: Int) { #expect(PageConnections.limit(descriptors: descriptors) == limit) }
}
