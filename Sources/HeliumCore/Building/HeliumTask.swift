/// A call that was started with a completion handler.
///
/// Dropping it changes nothing; ``cancel()`` ends the call.
public struct HeliumTask: Sendable {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) { self.task = task }

    /// Ends the call: a request that has not left never leaves, one in flight is aborted. The completion handler is
    /// called with ``FailureKind/cancelled``, unless it was called already.
    public func cancel() { task.cancel() }

    /// Whether ``cancel()`` was called.
    public var isCancelled: Bool { task.isCancelled }

    /// Waits until the completion handler has returned.
    public func finish() async { await task.value }
}
