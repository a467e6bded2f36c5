internal import Synchronization

/// Admits calls up to a limit and queues the others. It can also report when all calls have left, for a graceful close.
///
/// Entering costs an ordinary call one atomic addition, and leaving another. The lock is used only when calls wait.
final class AdmissionGate: Sendable {
    /// The outcome of a request to enter. Only ``inside`` must be followed by ``AdmissionGate/leave()``.
    enum Answer: Hashable, Sendable { case inside, full, closing, timedOut, cancelled }

    private struct Line {
        var waiters = WaitingLine<CheckedContinuation<Answer, Never>>()
        var drainers: [CheckedContinuation<Void, Never>] = []
    }

    /// A caller's position in the queue, or the outcome if the caller's wait ended before it was queued.
    private struct Ticket: Sendable {
        var number: UInt64?
        var verdict: Answer?
    }

    private let limits: ConcurrencyLimits
    /// The number of calls inside.
    private let inside = Atomic<Int>(0)
    /// Whether a call waits in the queue or for the gate to be empty. A call that leaves then has to check.
    private let isWatched = Atomic<Bool>(false)
    private let isClosing = Atomic<Bool>(false)
    private let line = Guarded(Line())

    init(_ limits: ConcurrencyLimits) { self.limits = limits }

    /// The number of calls in progress.
    var count: Int { inside.load(ordering: .relaxed) }

    /// The number of waiting calls.
    var waiting: Int { line.withLock { $0.waiters.count } }
}

// MARK: Entering and leaving

extension AdmissionGate {
    /// Enters if no call waits and there is room. Returns `nil` if the caller has to wait.
    func enterAtOnce() -> Answer? {
        if isClosing.load(ordering: .relaxed) { return .closing }
        if isWatched.load(ordering: .sequentiallyConsistent) { return nil }
        return takePlace() ? .inside : nil
    }

    /// Waits in the queue until `timer` returns or the calling task is cancelled.
    func enter(timer: (@Sendable () async throws -> Void)?) async -> Answer {
        let ticket = Guarded(Ticket())
        let giveUp: @Sendable (Answer) -> Void = { [self] answer in
            let waiter = line.withLock { line in
                ticket.withLock { ticket -> CheckedContinuation<Answer, Never>? in
                    guard let number = ticket.number else {
                        ticket.verdict = ticket.verdict ?? answer
                        return nil
                    }
                    return line.waiters.remove(number)
                }
            }
            waiter?.resume(returning: answer)
        }
        let alarm = timer.map { timer in
            Task {
                do { try await timer() } catch { return }
                giveUp(.timedOut)
            }
        }
        defer { alarm?.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let refusal: Answer? = line.withLock { line in
                    if isClosing.load(ordering: .relaxed) { return .closing }
                    if let verdict = ticket.withLock({ $0.verdict }) { return verdict }
                    let hasRoom = inside.load(ordering: .sequentiallyConsistent) < limits.maximumConcurrent
                    guard line.waiters.count < limits.maximumQueued || line.waiters.isEmpty && hasRoom else {
                        return .full
                    }
                    let number = line.waiters.append(continuation)
                    ticket.withLock { $0.number = number }
                    isWatched.store(true, ordering: .sequentiallyConsistent)
                    return nil
                }
                if let refusal { continuation.resume(returning: refusal) } else { admit() }
            }
        } onCancel: {
            giveUp(.cancelled)
        }
    }

    /// Leaves the gate.
    func leave() {
        inside.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        if isWatched.load(ordering: .sequentiallyConsistent) { admit() }
    }

    private func takePlace() -> Bool {
        if inside.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue <= limits.maximumConcurrent { return true }
        // A call that checked in the meantime has seen the gate full and must check again.
        leave()
        return false
    }

    /// Admits as many calls as there is room for, and resumes the tasks that wait for the gate to be empty.
    private func admit() {
        var admitted: [CheckedContinuation<Answer, Never>] = []
        var drained: [CheckedContinuation<Void, Never>] = []
        line.withLock { line in
            while !line.waiters.isEmpty {
                guard
                    inside.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue <= limits.maximumConcurrent,
                    let first = line.waiters.popFirst()
                else {
                    inside.wrappingSubtract(1, ordering: .sequentiallyConsistent)
                    break
                }
                admitted.append(first)
            }
            if inside.load(ordering: .sequentiallyConsistent) == 0 {
                drained = line.drainers
                line.drainers = []
            }
            if line.waiters.isEmpty, line.drainers.isEmpty {
                isWatched.store(false, ordering: .sequentiallyConsistent)
            }
        }
        for continuation in admitted { continuation.resume(returning: .inside) }
        for continuation in drained { continuation.resume() }
    }
}

// MARK: Closing

extension AdmissionGate {
    /// Admits no more calls. Waiting calls are rejected.
    func close() {
        isClosing.store(true, ordering: .sequentiallyConsistent)
        let waiters = line.withLock { $0.waiters.removeAll() }
        for waiter in waiters { waiter.resume(returning: .closing) }
    }

    /// Waits until no call is inside. After ``close()`` this happens when the running calls have ended.
    func waitUntilEmpty() async {
        await withCheckedContinuation { continuation in
            line.withLock { line in
                line.drainers.append(continuation)
                isWatched.store(true, ordering: .sequentiallyConsistent)
            }
            admit()
        }
    }
}
