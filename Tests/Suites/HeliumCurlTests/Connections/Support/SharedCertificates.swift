import HeliumConcurrency
import HeliumServerTesting

/// The certificates of the tests that run at the same time. They are slow to make, and `openssl` for each case would keep
/// the processors from all others.
actor SharedCertificates {
    private struct Made {
        let certificates = Signal<ThrowawayCertificates>()
        let isUnused = Signal<Void>()
        let isRemoved = Signal<Void>()
    }

    private static let shared = SharedCertificates()
    private var current: Made?
    private var userCount = 0

    /// Runs `body` with certificates, which the last of those that use them removes.
    static func with(_ body: (ThrowawayCertificates) async throws -> Void) async throws {
        let made = await shared.acquire()
        do {
            try await body(made.certificates.value())
        } catch {
            await shared.release(made)
            throw error
        }
        await shared.release(made)
    }

    private func acquire() -> Made {
        userCount += 1
        if let current { return current }
        let made = Made()
        current = made
        Task.detached {
            do {
                try await ThrowawayCertificates.with { certificates in
                    made.certificates.settle(.success(certificates))
                    try? await made.isUnused.value()
                }
            } catch {
                made.certificates.settle(.failure(error))
            }
            made.isRemoved.settle()
        }
        return made
    }

    private func release(_ made: Made) async {
        userCount -= 1
        guard userCount == 0 else { return }
        current = nil
        made.isUnused.settle()
        try? await made.isRemoved.valueIgnoringCancellation()
    }
}
