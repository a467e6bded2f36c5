/// Hands the events of a model or a collection to its delegate, in order, on the main actor.
final class DelegateRelay: Sendable {
    private let task: Task<Void, Never>
    private let delegate: @Sendable () -> (any AnyObject & Sendable)?

    /// Begins at once: no event from now on is missed. It ends when one of the two is gone, both of which it holds weakly.
    ///
    /// - Parameters:
    ///   - source: Whose events these are.
    ///   - events: The events.
    ///   - delegate: Who is told.
    ///   - type: What the delegate is told as.
    ///   - tell: Calls the delegate.
    init<Source: AnyObject & Sendable, Delegate>(
        from source: Source,
        _ events: ModelEvents,
        to delegate: any AnyObject & Sendable,
        as type: Delegate.Type,
        _ tell: @escaping @MainActor @Sendable (Source, Delegate, ModelEvent) -> Void
    ) {
        self.delegate = { [weak delegate] in delegate }
        task = Task { @MainActor [weak source, weak delegate] in
            for await event in events {
                guard let source, let delegate = delegate as? Delegate else { return }
                tell(source, delegate, event)
            }
        }
    }

    deinit { task.cancel() }

    /// The delegate while it is there.
    var object: (any AnyObject & Sendable)? { delegate() }
}
