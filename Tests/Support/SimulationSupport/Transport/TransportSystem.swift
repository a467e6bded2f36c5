import HeliumCore

@testable import HeliumCurl

/// The loop of the transport with its pool, its HTTP engines and its slots, against simulated servers and a simulated
/// clock: calls of all kinds, answers, refusals, cuts, silence and cancellations. Each call gets its own response or an
/// error that the servers' records justify, and nothing is left (Docs/Internals.md, "The transport's simulation").
enum TransportSystem: SimulatedSystem {
    static let name = "transport"
    static let needsDeterministicHashing = true
    static let kinds = [
        "succeeded", "sent again", "broken stream", "cancelled", "timedOut", "connectionFailed", "connectionLost",
        "malformedResponse", "clientClosed", "requestBodyFailed", "notSent", "maybeSent", "answered",
        "connection failed", "connects for ever", "silent connection", "silence", "idle connection ended",
        "idle connection disturbed",
        "bytes on an idle connection", "bytes after a response", "cut response", "malformed response", "content coding",
        "slow response", "ended without a response", "connection: close", "expectation ignored", "417", "100", "103",
        "GOAWAY", "REFUSED_STREAM", "HTTP_1_1_REQUIRED", "limit of streams changed", "stream reset", "suspension",
        "caller on the loop",
    ]

    static func simulate(_ simulation: Simulation) throws {
        let world = WireWorld(simulation)
        // The sources of their bodies retain the world.
        defer { world.calls = [] }
        let dice = world.dice
        world.isCalm = dice.oneIn(4)
        world.configuration.maximumConnectionsPerHost = 1 + dice.below(4)
        world.configuration.maximumConnections = 1 + dice.below(6)
        world.configuration.maximumIdleConnections = 1 + dice.below(4)
        var times = ConnectionTimes()
        times.idle = WireTime.milliseconds(2_000 + dice.below(60_000))
        times.silence = WireTime.milliseconds(500 + dice.below(8_000))
        times.pong = WireTime.milliseconds(200 + dice.below(3_000))
        world.hosts = (0..<1 + dice.below(3)).map { number in
            WireHost(name: "host\(number)", dice: dice, malice: world.isCalm ? 0 : dice.pick([3, 15, 40]))
        }
        try plan(world)
        try world.run(times: times)
        if let fault = world.faults.first { throw WireFault(fault) }
    }

    /// Plans the calls, which come in bursts, and what happens to them and the hosts from outside.
    private static func plan(_ world: WireWorld) throws {
        let dice = world.dice
        var bursts: [UInt64] = [0]
        for _ in 0..<1 + dice.below(6) {
            bursts.append(bursts[bursts.count - 1] + WireTime.milliseconds(dice.below(dice.oneIn(3) ? 30_000 : 2_000)))
        }
        for number in 0..<3 + dice.below(30) {
            let call = try WireCall(number, host: dice.pick(world.hosts), world: world, isCalm: world.isCalm)
            world.calls.append(call)
            let time = dice.pick(bursts) + (dice.oneIn(2) ? 0 : UInt64(dice.below(200_000_000)))
            world.after(time) { call.start() }
            if dice.oneIn(8) { world.after(time + dice.delay() + UInt64(dice.below(2_000_000))) { call.cancel() } }
        }
        let length = bursts[bursts.count - 1] + WireTime.second
        let anyTime = { UInt64(dice.below(Int(length))) }
        for host in world.hosts where dice.oneIn(4) {
            world.after(anyTime()) { host.speaksHTTP2.toggle() }
        }
        guard !world.isCalm else { return }
        for host in world.hosts where dice.oneIn(6) {
            let time = anyTime()
            world.after(time) { host.isDown = true }
            world.after(time + dice.delay() * 3) { host.isDown = false }
        }
        if dice.oneIn(6) {
            world.after(anyTime()) { world.suspend(WireTime.milliseconds(1_000 + dice.below(100_000))) }
        }
        world.mayEndEarly = dice.oneIn(8)
        if world.mayEndEarly {
            world.after(anyTime()) {
                world.hasEarlyEnd = true
                world.shutDown()
            }
        }
    }
}

/// A rule that was violated.
struct WireFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
