import HeliumCore
import JetstreamCore

/// Three clients of Jetstream with models, and the server: random edits, a bad network, kills, expiry and refusals. When all
/// is quiet, all trees are equal, and each change set was applied once (Docs/Internals.md, "Jetstream's simulation").
enum JetstreamSystem: SimulatedSystem {
    static let name = "jetstream"
    static let kinds = Kind.allCases.map(\.rawValue)
    // Hashes differ in each process, so that an order that depends on them shows.
    static let needsDeterministicHashing = false

    private static let clientCount = 3
    private static let bursts = 16
    private static let actionsOfBurst = 6
    private static let faultCount = 10
    /// The time at which the faults end.
    private static let busyTime: Duration = .seconds(60)
    /// The longest that all may take to settle after that, absences included.
    private static let settlingTime: Duration = .seconds(1500)

    static func simulate(_ simulation: Simulation) throws { try simulate(SyncWorld(simulation)) }

    static func simulate(_ world: SyncWorld) throws {
        try world.begin(clientCount: clientCount)
        defer { world.end() }
        schedule(world)
        try world.pass(until: busyTime)
        world.calm()
        try settle(world)
        try check(world)
        world.end()
        try world.checkFreed()
    }

    /// Edits come in bursts, because only those at nearly the same time meet. So do half of the faults.
    private static func schedule(_ world: SyncWorld) {
        let milliseconds = 1...Int(busyTime / .milliseconds(1)) - 1000
        let times = (0..<bursts).map { _ in world.delay(milliseconds) }
        for time in times {
            for _ in 0..<actionsOfBurst { world.after(time + world.delay(0...150)) { User(world: world).act() } }
        }
        for number in 0..<faultCount {
            let isNearEdits = number % 2 == 0
            let burst = times[world.random.below(bursts)]
            let time = isNearEdits ? burst + world.delay(0...250) : world.delay(milliseconds)
            world.after(time) { [unowned world] in
                let (fault, client) = (Fault.pick(world.random), world.clients[world.random.below(clientCount)])
                world.note("fault \(fault.kind) of \(client.name)")
                world.count(fault.kind)
                fault.happen(world, client)
            }
        }
    }

    /// Waits until nothing moves for longer than a frame may take.
    private static func settle(_ world: SyncWorld) throws {
        var quietSeconds = 0
        while quietSeconds < 3 {
            try world.pass(until: world.now + .seconds(1))
            let unrest = world.unrest
            quietSeconds = unrest == nil ? quietSeconds + 1 : 0
            if world.now > busyTime + settlingTime { throw Finding("no rest: \(unrest ?? "")") }
        }
    }

    private static func check(_ world: SyncWorld) throws {
        guard let state = world.server?.state else { throw Finding("there is no server") }
        for client in world.clients {
            try client.process?.document?.check(client.name, against: state)
        }
        try world.ledger.checkUntold()
    }
}
