import Loop
import TLS

/// Keeps each presented chain in the run folder.
final class PresentedChains: Sendable {
    /// A gate attacks the hosts of a profile, in a few variants each; a client that asks for more names than this
    /// under `others: accept` must not fill the disk with them.
    static let limit = 10_000

    private let folder: RunFolder
    private let evidence: EvidenceWriter
    private let count = Locked(0)

    init(folder: RunFolder, evidence: EvidenceWriter) {
        self.folder = folder
        self.evidence = evidence
    }

    var keep: @Sendable (PresentedChain) -> Void {
        { [self] chain in
            let isWithinLimit = count.withLock { count in
                count += 1
                return count <= Self.limit
            }
            guard isWithinLimit else { return }
            do throws(GateError) {
                try folder.keepPresented(pem: chain.pem, sha256: chain.sha256)
            } catch {
                evidence.fail(error.complaint.message)
            }
        }
    }
}
