import JetstreamCore

/// The executor of actors whose jobs run when the simulation ends a turn.
///
/// `@unchecked Sendable`: the simulation is on one thread, on which it adds and runs the jobs.
final class TurnExecutor: SerialExecutor, @unchecked Sendable {
    private var jobs: [UnownedJob] = []
    /// Whether an observer was called on an actor since this was last set.
    var hasReported = false

    func enqueue(_ job: consuming ExecutorJob) { jobs.append(UnownedJob(job)) }

    // The simulation's only thread may use the actors at any time.
    func checkIsolated() {}

    func runJobs() {
        while !jobs.isEmpty { jobs.removeFirst().runSynchronously(on: asUnownedSerialExecutor()) }
    }
}

/// An actor of an app, as a server has one for each room, which observes objects for a while.
actor Room {
    private let executor: TurnExecutor

    init(on executor: TurnExecutor) { self.executor = executor }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Observes objects on the actor. The thread of the simulation calls this.
    nonisolated func observe(_ objects: [any ModelObject]) {
        // The objects do not leave the simulation's thread.
        nonisolated(unsafe) let objects = objects
        assumeIsolated { room in
            let executor = room.executor
            for object in objects {
                object.observeChange(room, isolation: room) { executor.hasReported = true }
                object.observeTreeChange(room, isolation: room) { executor.hasReported = true }
            }
        }
    }
}
