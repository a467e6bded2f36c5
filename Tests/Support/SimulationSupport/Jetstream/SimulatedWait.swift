import JetstreamCore

/// The waits of a scope's timer in the time of a simulation.
private final class SimulatedWaits {
    /// The number of waits in progress.
    var count = 0
}

/// A wait that has neither ended nor been cancelled yet.
private final class SimulatedWait {
    private var waits: SimulatedWaits?

    init(_ waits: SimulatedWaits) {
        self.waits = waits
        waits.count += 1
    }

    /// Ends the wait. Returns whether it was in progress.
    func end() -> Bool {
        guard let waits else { return false }
        waits.count -= 1
        self.waits = nil
        return true
    }
}

extension FlushTimer {
    /// Creates the timer of a client's scope. A second wait of it at the same time is a fault.
    convenience init(_ scope: Scope, simulatedBy world: SyncWorld, _ client: String) {
        self.init(scope, uptime: { [unowned world] in world.now })
        let waits = SimulatedWaits()
        beginWait = { [unowned world, weak self] deadline in
            let wait = SimulatedWait(waits)
            if waits.count > 1 { world.fail("\(client) waits with \(waits.count) timers for one scope") }
            let delay = max(deadline - world.now, .zero)
            // Other values wait for 50 milliseconds at most.
            if delay > .milliseconds(50) { world.count(.delayedChange) }
            world.after(delay) { if wait.end() { self?.fire() } }
            return { _ = wait.end() }
        }
    }
}
