/// Hands a model's events to its delegate, in order, on the main actor.
final class DelegateRelay: Sendable {
    private let task: Task<Void, Never>
    private let delegate: @Sendable () -> (any Sendable)?

    /// Begins at once: no event from now on is missed.
    ///
    /// - Parameters:
    ///   - delegate: The delegate while it is there.
    ///   - events: The model's events.
    ///   - deliver: Calls the delegate; false, if it is gone.
    init(
        _ delegate: @escaping @Sendable () -> (any Sendable)?,
        _ events: ModelEvents,
        _ deliver: @escaping @MainActor @Sendable (ModelEvent) -> Bool
    ) {
        self.delegate = delegate
        task = Task { @MainActor in
            for await event in events where !deliver(event) { return }
        }
    }

    deinit { task.cancel() }

    /// The delegate while it is there.
    var object: (any Sendable)? { delegate() }
}
