/// The reason why a simulation cannot be trusted, or does not end.
package enum SimulationFault: Error, Hashable, CustomStringConvertible {
    /// A job came from a thread that the scheduler does not control, with that thread's calls.
    case foreignThread(calls: [String])
    /// A task sleeps on the system's clock.
    case systemClock
    /// Nothing runs and nothing waits for the clock, but the simulation has not ended.
    case hang
    /// A day of the clock passed in which the trace got no line.
    case noProgress
    /// A run has more jobs than this.
    case tooManyJobs(Int)

    package var description: String {
        switch self {
        case .foreignThread(let calls):
            (["a job came from another thread: something is not under control of the scheduler"] + calls)
                .joined(separator: "\n    ")
        case .systemClock: "a task sleeps on the system's clock: use the simulation's"
        case .hang:
            "hang: there is no job, nobody sleeps, and a call is open; Task.yield() and Task.sleep cause this too"
        case .noProgress: "hang: nothing happened for a day of the clock"
        case .tooManyJobs(let count): "hang: there were more than \(count) jobs"
        }
    }
}
