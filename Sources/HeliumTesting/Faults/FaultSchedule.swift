import HeliumCore
import Synchronization

/// Assigns the faults of a ``FaultServer/Plan`` to connections and requests.
struct FaultSchedule: Sendable {
    private let plan: FaultServer.Plan
    private var nextRequest = 0
    private var nextOfPath: [String: Int] = [:]
    /// The faults that began with a connection and also apply to its first request.
    private var begun: [Int: FaultServer.Fault] = [:]

    init(_ plan: FaultServer.Plan) { self.plan = plan }

    /// Returns the fault that begins before anything is read from a new connection; `nil` if no fault does.
    mutating func fault(forConnection number: Int) -> FaultServer.Fault? {
        switch plan.form {
        case .requests(let faults):
            let fault = FaultSchedule.pick(nextRequest, of: faults)
            guard fault.beginsWithConnection else { return nil }
            nextRequest += 1
            begun[number] = fault
            return fault
        case .connections(let faults):
            let fault = FaultSchedule.pick(number - 1, of: faults)
            return fault.beginsWithConnection ? fault : nil
        case .paths:
            return nil
        }
    }

    /// Returns the fault of a request, and whether its greeting has not been performed yet.
    mutating func fault(
        forRequestTo path: String,
        on connection: Int
    ) -> (fault: FaultServer.Fault, greets: Bool) {
        switch plan.form {
        case .requests(let faults):
            if let fault = begun.removeValue(forKey: connection) { return (fault, false) }
            defer { nextRequest += 1 }
            return (FaultSchedule.pick(nextRequest, of: faults), true)
        case .connections(let faults):
            return (FaultSchedule.pick(connection - 1, of: faults), false)
        case .paths(let faults, let otherwise):
            let isListed = faults[path] != nil
            // Paths that are not listed share one count, so a client cannot make the table grow.
            let index = nextOfPath[isListed ? path : "", default: 0]
            nextOfPath[isListed ? path : ""] = index + 1
            return (FaultSchedule.pick(index, of: faults[path] ?? otherwise), true)
        }
    }

    private static func pick(_ index: Int, of faults: [FaultServer.Fault]) -> FaultServer.Fault {
        guard let last = faults.indices.last else { return .healthy }
        return faults[min(index, last)]
    }
}

/// A schedule that all threads of a server share.
final class SharedSchedule: Sendable {
    private let schedule: Guarded<FaultSchedule>

    init(_ schedule: FaultSchedule) { self.schedule = Guarded(schedule) }

    func withLock<Result: Sendable>(_ body: (inout FaultSchedule) -> Result) -> Result {
        schedule.withLock { body(&$0) }
    }
}
