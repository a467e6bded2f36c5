internal import Foundation
internal import HeliumConcurrency
internal import SimulationHooks
internal import Synchronization
package import TestSupport

/// Runs all jobs of the process on the main thread, one at a time, in an order that a seed decides.
///
/// The hooks of the concurrency runtime put jobs into a list in place of handing them to a thread pool. They are the process's:
/// a scheduler belongs into an executable of its own, never into a test runner.
///
/// `Task.yield()` and `Task.sleep` use an executor of the standard library directly, and are not controlled. The run then fails.
package final class JobScheduler: Sendable {
    /// The process's only scheduler. The first access installs the hooks, and must be on the main thread.
    package static let shared: JobScheduler = {
        precondition(Thread.isMainThread, "the scheduler belongs to the main thread")
        simulation_install_hooks { job, hook in
            guard let job else { return }
            // A pointer to a job is all that an unowned job consists of.
            JobScheduler.queue.add(unsafeBitCast(job, to: UnownedJob.self), hook)
        }
        return JobScheduler()
    }()

    /// The jobs. Apart from the scheduler, whose initialization must not wait for a hook that needs it.
    private static let queue = JobQueue()

    private let executor = ListedExecutor()

    /// Runs jobs until `isDone`.
    ///
    /// - Parameters:
    ///   - random: Picks each job.
    ///   - maximum: The number of jobs after which a run counts as endless.
    ///   - idle: Called when there is no job: moves the clock on, or throws.
    /// - Returns: The number of jobs.
    @discardableResult
    package func run(
        _ random: inout SeededRandom,
        maximum: Int,
        until isDone: () -> Bool,
        idle: () throws(SimulationFault) -> Void
    ) throws(SimulationFault) -> Int {
        var count = 0
        while !isDone() {
            if let fault = Self.queue.fault { throw fault }
            guard let job = Self.queue.take(&random) else {
                try idle()
                continue
            }
            count += 1
            if count > maximum { throw .tooManyJobs(maximum) }
            job.runSynchronously(on: executor.asUnownedSerialExecutor())
        }
        if let fault = Self.queue.fault { throw fault }
        return count
    }

    /// Runs jobs until there is none.
    package func drain(_ random: inout SeededRandom, maximum: Int) throws(SimulationFault) {
        try run(&random, maximum: maximum, until: { Self.queue.isEmpty }, idle: {})
    }

    /// The executor of code that belongs to no actor. Each hop to an actor is a separate job, so that other jobs may
    /// run in between.
    private final class ListedExecutor: SerialExecutor {
        func enqueue(_ job: consuming ExecutorJob) { JobScheduler.queue.add(UnownedJob(job), SimulationHookGlobal) }
    }
}

/// The jobs that wait.
private final class JobQueue: Sendable {
    private struct State {
        var jobs: [UnownedJob] = []
        var fault: SimulationFault?
    }

    private let state = Guarded(State())

    var fault: SimulationFault? { state.withLock { $0.fault } }
    var isEmpty: Bool { state.withLock { $0.jobs.isEmpty } }

    func add(_ job: UnownedJob, _ hook: SimulationHook) {
        var fault: SimulationFault?
        if hook == SimulationHookLater { fault = .systemClock }
        if !simulation_is_hooking_thread() { fault = fault ?? .foreignThread(calls: Thread.callStackSymbols) }
        state.withLock { [fault] state in
            if let fault { state.fault = state.fault ?? fault } else { state.jobs.append(job) }
        }
    }

    func take(_ random: inout SeededRandom) -> UnownedJob? {
        let count = state.withLock { $0.jobs.count }
        guard count > 0 else { return nil }
        let index = random.below(count)
        return state.withLock { $0.jobs.remove(at: index) }
    }
}
