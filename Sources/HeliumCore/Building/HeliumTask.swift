/// A call that was started with a completion handler.
///
/// Discarding the value does not end the call; ``cancel()`` does.
public struct HeliumTask: Sendable {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) { self.task = task }

    /// Cancels the call. A request that has not been sent yet is never sent, and a request in flight is aborted. The
    /// completion handler is called with ``FailureKind/cancelled``, unless it has been called already.
    public func cancel() { task.cancel() }

    /// Whether ``cancel()`` was called.
    public var isCancelled: Bool { task.isCancelled }

    /// Waits until the completion handler has returned.
    public func finish() async { await task.value }
}
