/// Delivers the events of a model or a collection to its delegate, in order, on the main actor.
final class DelegateRelay: Sendable {
    private let task: Task<Void, Never>
    private let delegate: @Sendable () -> (any AnyObject & Sendable)?

    /// Starts to deliver events at once, so that no later event is missed. Delivery ends when the source or the
    /// delegate is released. Both are held weakly.
    ///
    /// - Parameters:
    ///   - source: The source of the events.
    ///   - events: The events.
    ///   - delegate: The delegate.
    ///   - type: The protocol of the delegate.
    ///   - notify: Calls the delegate.
    init<Source: AnyObject & Sendable, Delegate>(
        from source: Source,
        _ events: ModelEvents,
        to delegate: any AnyObject & Sendable,
        as type: Delegate.Type,
        _ notify: @escaping @MainActor @Sendable (Source, Delegate, ModelEvent) -> Void
    ) {
        self.delegate = { [weak delegate] in delegate }
        task = Task { @MainActor [weak source, weak delegate] in
            for await event in events {
                guard let source, let delegate = delegate as? Delegate else { return }
                notify(source, delegate, event)
            }
        }
    }

    deinit { task.cancel() }

    /// The delegate; `nil` once it has been released.
    var object: (any AnyObject & Sendable)? { delegate() }
}
