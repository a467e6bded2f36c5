internal import Foundation
package import HeliumCore
package import HeliumTesting
internal import Synchronization
internal import TestSupport

/// A system that is simulated.
package protocol SimulatedSystem: SendableMetatype {
    /// The program's first argument.
    static var name: String { get }

    /// The kinds of events that a run of many seeds must have, as the trace counts them. Default: none.
    static var kinds: [String] { get }

    /// Whether sets and dictionaries must have the same order in each process. Default: `true`.
    static var needsDeterministicHashing: Bool { get }

    /// Does what the seed says with the system, and checks it.
    ///
    /// - Throws: What is wrong with the system.
    static func simulate(_ simulation: Simulation) async throws
}

extension SimulatedSystem {
    package static var kinds: [String] { [] }
    package static var needsDeterministicHashing: Bool { true }
}

/// One run of a system: its seed, its clock, its randomness and its trace.
package final class Simulation: Sendable {
    package let seed: UInt64
    /// The only clock. It moves on when nothing else can run.
    package let clock = TestClock()
    package let trace = SimulationTrace()

    init(seed: UInt64) { self.seed = seed }

    /// A source of random numbers for one purpose. Sources of different names are independent of each other, so that one part
    /// of a simulation can draw more numbers without changing the others.
    package func random(_ name: String) -> RandomSource {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let numbers = Guarded(SeededRandom(seed: seed ^ hash))
        return RandomSource { numbers.withLock { $0.next() } }
    }

    /// The number of jobs after which a run counts as endless.
    private static let maximumJobs = 20_000_000
    private static let day: Duration = .seconds(86_400)

    /// Simulates a system once. Must be called on the main thread of an executable of its own.
    ///
    /// - Returns: The trace.
    /// - Throws: ``SimulationFailure`` with a ``SimulationFault``, or with what the system throws.
    package static func run(_ system: any SimulatedSystem.Type, seed: UInt64) throws(SimulationFailure)
        -> SimulationTrace
    {
        let scheduler = JobScheduler.shared
        let simulation = Simulation(seed: seed)
        let outcome = Guarded<Result<Void, any Error>?>(nil)
        var random = SeededRandom(seed: seed)
        Task.detached {
            do {
                try await system.simulate(simulation)
                try Self.checkThread()
                outcome.withLock { $0 = .success(()) }
            } catch {
                outcome.withLock { $0 = .failure(error) }
            }
        }
        do {
            var watch = ProgressWatch()
            try scheduler.run(
                &random,
                maximum: maximumJobs,
                until: { outcome.withLock { $0 != nil } },
                idle: { () throws(SimulationFault) in try simulation.moveClock(&watch) }
            )
            // What the run has left must not take part in the next one.
            try scheduler.drain(&random, maximum: maximumJobs)
            if let outcome = outcome.withLock({ $0 }) { try outcome.get() }
        } catch {
            throw SimulationFailure(seed: seed, error: error, trace: simulation.trace)
        }
        return simulation.trace
    }

    /// A task that has left the main thread may come back only after its end.
    private static func checkThread() throws(SimulationFault) {
        guard Thread.isMainThread else { throw .foreignThread(calls: Thread.callStackSymbols) }
    }

    private struct ProgressWatch {
        var events = 0
        var uptime: Duration = .zero
    }

    /// Moves the clock to the next pause or time limit that ends.
    private func moveClock(_ watch: inout ProgressWatch) throws(SimulationFault) {
        let next = [clock.nextWakeTime, clock.nextDeadline].compactMap { $0 }.min()
        guard let next else { throw .hang }
        let events = trace.eventCount
        if events != watch.events { watch = ProgressWatch(events: events, uptime: clock.uptime) }
        guard next - watch.uptime <= Self.day else { throw .noProgress }
        clock.advance(to: next)
        trace.step(to: next)
    }
}

/// A run that failed.
package struct SimulationFailure: Error, CustomStringConvertible {
    package let seed: UInt64
    package let error: any Error
    package let trace: SimulationTrace

    package var description: String { "seed \(seed): \(error)" }
}
