/// A task whose outcome any number of callers wait for, each of which can be cancelled.
///
/// Waiting for the value of a `Task` does not end when the waiting task is cancelled. Callers that have given up would
/// be kept, with everything they hold, until the task ends.
package struct SharedTask<Value: Sendable>: Sendable {
    private let outcome = Signal<Value>()
    private let task: Task<Void, Never>

    /// Starts a task. It inherits neither the caller's priority nor its task-local values, because it belongs to no
    /// single caller.
    package init(_ operation: @escaping @Sendable () async throws -> Value) {
        let outcome = outcome
        task = Task.detached {
            do { outcome.settle(.success(try await operation())) } catch { outcome.settle(.failure(error)) }
        }
    }

    /// Waits for the outcome.
    ///
    /// - Throws: The error of the operation; `CancellationError` if the calling task is cancelled first.
    package func value() async throws -> Value { try await outcome.value() }

    /// Cancels the operation. The callers wait for its end.
    package func cancel() { task.cancel() }
}
