internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumServerKit
internal import Logging

extension JetstreamHost {
    static let storeFailed = "the store has failed"

    static func refusal(by fault: StoreFault) -> JetstreamRefusal { JetstreamRefusal("\(storeFailed): \(fault)") }

    /// Waits until the task is cancelled, and then cancels the timers.
    ///
    /// - Throws: ``StoreFault`` if the store cannot be used any more.
    func run() async throws {
        defer { stop() }
        do {
            try await end.value()
        } catch is CancellationError {
            // The server stops.
        }
    }

    /// Creates the engine again from the store, and tries again until it can be written.
    func beginRecovery() {
        guard let fault, recovering == nil, !isStopped else { return }
        logger.critical(
            "The store of Jetstream has failed; connections are refused until it can be written",
            metadata: ["error": "\(fault)"]
        )
        recovering = Task { [weak self] in await self?.recover() }
    }

    /// An unexpected failure of a write, such as a violated constraint, is no fault of the file: the engine is restored
    /// without the changes of that write. It ends the server only if the store cannot be restored either.
    private func recover() async {
        var isRestored = false
        while let fault, !Task.isCancelled {
            guard fault.isTemporary || (fault.cause == .unexpected && !isRestored) else {
                end.settle(.failure(fault))
                break
            }
            isRestored = true
            let delay = recovery.delay(at: clock.uptime)
            if delay > .zero { try? await clock.waitForDeadline(at: clock.uptime + delay) }
            guard !Task.isCancelled else { break }
            await reopen()
        }
        recovering = nil
    }

    private func reopen() async {
        guard let store else { return }
        do {
            let changes: [StoreChange]
            if let firstChanges {
                changes = firstChanges
            } else {
                // A full or read-only file can be read: what the server shows is then what was committed.
                let restored = try await store.tables.restore(after: engine.lastSession, store.makeEngine)
                engine = restored.engine
                changes = restored.changes
                firstChanges = changes
            }
            try await store.tables.resume(engine, changes)
            start = clock.uptime
            fault = nil
            setAlarm()
            logger.notice("The store of Jetstream works again")
        } catch {
            let next = StoreFault(error)
            if next != fault { logger.critical("The store of Jetstream still fails", metadata: ["error": "\(next)"]) }
            fault = next
        }
    }
}
