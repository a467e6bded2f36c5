internal import Synchronization

/// A race of an operation with a timer, the client's closing and the caller's cancellation. The first to end decides
/// the result, once.
final class Race<Value: Sendable>: Sendable {
    private enum State {
        case idle
        case waiting(CheckedContinuation<Value, any Error>)
        case decided(Result<Value, any Error>)
        case over
    }

    private let state = Guarded(State.idle)
    private let tasks = Guarded<[Task<Void, Never>]>([])

    func run(
        _ operation: @escaping @Sendable () async throws -> Value,
        timer: (@Sendable () async throws -> Void)?,
        closing: Signal<Void>? = nil
    ) async throws -> Value {
        // The operation must not start if the caller is cancelled already.
        try Task.checkCancellation()
        return try await withTaskCancellationHandler {
            let work = Task { [self] in
                // The task may begin late, when the caller has been cancelled or its time has passed.
                guard isUndecided else { return }
                do { decide(.success(try await operation())) } catch { decide(.failure(error)) }
            }
            keep(work)
            if let timer {
                keep(
                    Task { [self] in
                        do { try await timer() } catch { return }
                        decide(.failure(DeadlineExceeded()))
                    }
                )
            }
            let closeAction = closing?.add { [self] _ in decide(.failure(ClientClosed())) }
            defer {
                if let closeAction { closing?.remove(closeAction) }
                stop()
            }
            return try await withCheckedThrowingContinuation { wait($0) }
        } onCancel: {
            decide(.failure(CancellationError()))
        }
    }

    private func wait(_ continuation: CheckedContinuation<Value, any Error>) {
        let early: Result<Value, any Error>? = state.withLock { state in
            if case .decided(let result) = state {
                state = .over
                return result
            }
            state = .waiting(continuation)
            return nil
        }
        if let early { continuation.resume(with: early) }
    }

    private func decide(_ result: Result<Value, any Error>) {
        let waiter: CheckedContinuation<Value, any Error>? = state.withLock { state in
            switch state {
            case .idle:
                state = .decided(result)
                return nil
            case .waiting(let continuation):
                state = .over
                return continuation
            case .decided, .over:
                return nil
            }
        }
        waiter?.resume(with: result)
    }

    private var isUndecided: Bool {
        state.withLock { state in
            switch state {
            case .idle, .waiting: true
            case .decided, .over: false
            }
        }
    }

    private func keep(_ task: Task<Void, Never>) { tasks.withLock { $0.append(task) } }

    private func stop() {
        for task in tasks.withLock({ $0 }) { task.cancel() }
    }
}

/// The error of a wait during which the client was closed.
package struct ClientClosed: Error {
    package init() {}
}
