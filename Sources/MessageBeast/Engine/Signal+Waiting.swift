internal import HeliumConcurrency
internal import HeliumCore

extension Signal<Void> {
    /// Waits for the event, or until a delay has passed.
    ///
    /// - Parameter delay: The maximum wait; `nil` for no limit.
    /// - Throws: `CancellationError`.
    func wait(atMost delay: Duration?, clock: any HeliumClock) async throws {
        guard let delay else { return try await value() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.value() }
            group.addTask { try await clock.sleep(for: delay) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
