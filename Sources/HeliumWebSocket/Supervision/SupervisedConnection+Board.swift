internal import HeliumCore

extension SupervisedConnection {
    /// Runs, and tells a board every state but the last, which is its owner's to tell.
    ///
    /// - Returns: Why it ended; `nil` for an end in order.
    package func run(telling board: Broadcast<ConnectionState>) async -> (any Error)? {
        // Listening before it runs; what it is until then, the board tells already.
        let states = states.dropFirst()
        let telling = Task {
            for await state in states {
                if case .closed = state { return }
                board.send(state)
            }
        }
        var failure: (any Error)?
        do { try await run() } catch { failure = error }
        await telling.value
        return failure
    }
}
