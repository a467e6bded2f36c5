internal import Synchronization

/// Lets calls in, up to a limit; the others wait in line. Also knows when nobody is inside, for a close that drains.
///
/// The way of an ordinary call is one atomic addition in and one out; the lock is only for those who wait.
final class AdmissionGate: Sendable {
    /// What came of asking to be let in; only ``inside`` must be followed by ``AdmissionGate/leave()``.
    enum Answer: Hashable, Sendable { case inside, full, closing, timedOut, cancelled }

    private struct Line {
        var waiters = WaitingLine<CheckedContinuation<Answer, Never>>()
        var drainers: [CheckedContinuation<Void, Never>] = []
    }

    /// A caller's place in line, or why it shall have none: its time may be over before it has come that far.
    private struct Ticket: Sendable {
        var number: UInt64?
        var verdict: Answer?
    }

    private let limits: ConcurrencyLimits
    /// Calls inside.
    private let inside = Atomic<Int>(0)
    /// Somebody waits in line or for the end: who leaves has to look.
    private let isWatched = Atomic<Bool>(false)
    private let isClosing = Atomic<Bool>(false)
    private let line = Guarded(Line())

    init(_ limits: ConcurrencyLimits) { self.limits = limits }

    /// Calls under way.
    var count: Int { inside.load(ordering: .relaxed) }

    /// Calls that wait.
    var waiting: Int { line.withLock { $0.waiters.count } }
}

// MARK: Coming and going

extension AdmissionGate {
    /// Comes in if nobody waits and there is room; `nil` if the caller has to wait.
    func enterAtOnce() -> Answer? {
        if isClosing.load(ordering: .relaxed) { return .closing }
        if isWatched.load(ordering: .sequentiallyConsistent) { return nil }
        return takePlace() ? .inside : nil
    }

    /// Waits in line, as long as `timer` sleeps and the calling task is not cancelled.
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

    /// Goes out.
    func leave() {
        inside.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        if isWatched.load(ordering: .sequentiallyConsistent) { admit() }
    }

    private func takePlace() -> Bool {
        if inside.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue <= limits.maximumConcurrent { return true }
        // Who looked meanwhile has seen the place taken, and must look again.
        leave()
        return false
    }

    /// Lets in as many as there is room for, and tells those who wait for the end.
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

// MARK: The end

extension AdmissionGate {
    /// Lets nobody in from now on; who waits is refused.
    func close() {
        isClosing.store(true, ordering: .sequentiallyConsistent)
        let waiters = line.withLock { $0.waiters.removeAll() }
        for waiter in waiters { waiter.resume(returning: .closing) }
    }

    /// Waits until nobody is inside. After ``close()`` that comes by itself when the calls end.
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
