import Loop
import TLS

/// Keeps each presented chain in the run folder.
package final class PresentedChains: Sendable {
    /// Different ones. A gate attacks the hosts of a profile, in a few variants each; a client that asks for more names
    /// than this under `others: accept` must fill neither the disk with them nor memory with their hashes.
    static let limit = 10_000

    private let folder: RunFolder
    private let evidence: EvidenceWriter
    /// SHA-256 of those that are kept.
    private let kept = Locked<Set<String>>([])

    private let limit: Int

    package init(folder: RunFolder, evidence: EvidenceWriter, limit: Int = PresentedChains.limit) {
        self.limit = limit
        self.folder = folder
        self.evidence = evidence
    }

    package var keep: @Sendable (PresentedChain) -> Void {
        { [self] chain in
            let sha256 = chain.sha256
            let isNew = kept.withLock { kept in kept.count < limit && kept.insert(sha256).inserted }
            guard isNew else { return }
            do throws(FileError) {
                try folder.keepPresented(pem: chain.pem, sha256: sha256)
            } catch {
                evidence.fail("\(error)")
            }
        }
    }
}
