import Foundation
import HeliumTesting

// What the scheduler does not control. Each must fail, which the tests check.

enum Yielding: SimulatedSystem {
    static let name = "fault-yield"

    private actor Other {
        func visit() {}
    }

    static func simulate(_ simulation: Simulation) async {
        // Behind an actor the executor is the standard library's.
        await Other().visit()
        // Another thread could end a single yield before the simulation looks.
        while !Task.isCancelled { await Task.yield() }
    }
}

enum Sleeping: SimulatedSystem {
    static let name = "fault-sleep"

    static func simulate(_ simulation: Simulation) async throws { try await Task.sleep(for: .seconds(3600)) }
}

enum Hanging: SimulatedSystem {
    static let name = "fault-hang"

    static func simulate(_ simulation: Simulation) async throws {
        while true { try await simulation.clock.sleep(for: .seconds(60)) }
    }
}

enum Threading: SimulatedSystem {
    static let name = "fault-thread"

    static func simulate(_ simulation: Simulation) async { startTaskElsewhere() }

    private static func startTaskElsewhere() {
        let ready = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            Task.detached {}
            ready.signal()
        }
        ready.wait()
    }
}
