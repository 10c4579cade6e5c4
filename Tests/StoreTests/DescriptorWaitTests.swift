import Foundation
import GRDB
import Loop
import Testing

@testable import Store

@Suite struct DescriptorWaitTests {
    private static let noDescriptor = SystemError("open", EMFILE)
    private static let cannotOpen = DatabaseError(resultCode: .SQLITE_CANTOPEN)

    @Test("as long as there are no descriptors, a recorder that goes on tries again")
    func short() {
        for error in [Self.noDescriptor, Self.cannotOpen] as [any Error] {
            var wait = DescriptorWait()
            for now in stride(from: 10.0, to: 100, by: 1) {
                #expect(wait.isWorthwhile(after: error, isClosing: false, at: now) { true })
            }
        }
    }

    @Test(
        "one that is to end does so for some seconds, as does one that cannot open a file though there are descriptors")
    func patience() {
        for (error, isClosing) in [(Self.noDescriptor, true), (Self.cannotOpen, true), (Self.cannotOpen, false)]
            as [(any Error, Bool)]
        {
            var wait = DescriptorWait()
            func isWorthwhile(at now: Double) -> Bool {
                wait.isWorthwhile(after: error, isClosing: isClosing, at: now) { isClosing }
            }
            #expect(isWorthwhile(at: 10) && isWorthwhile(at: 14.9) && !isWorthwhile(at: 15))
            wait.succeeded()
            #expect(isWorthwhile(at: 16) && isWorthwhile(at: 20))
        }
    }

    @Test("nothing else passes")
    func others() {
        var wait = DescriptorWait()
        for error in [SystemError("open", ENOSPC), DatabaseError(resultCode: .SQLITE_FULL), StoreError.full(path: "a")]
            as [any Error]
        {
            #expect(!wait.isWorthwhile(after: error, isClosing: false, at: 0) { true })
        }
    }
}
