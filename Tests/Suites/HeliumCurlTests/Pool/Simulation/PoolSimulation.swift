import TestSupport
import Testing

@testable import HeliumCurl

/// One run of a pool with a few groups: calls begin, end and are cancelled and resent, attempts succeed and fail,
/// servers change their protocol and their streams, send GOAWAY and end connections, all in any order.
final class PoolSimulation {
    private var random: SeededRandom
    private let world: PoolWorld
    private let groupCount: Int
    private var ended: [PoolCall] = []
    private var closed: [PoolConnection] = []
    /// Whether servers behave, so that everything ends.
    private var isCalm = false

    private static let second: UInt64 = 1_000_000_000
    /// The number of rounds in which everything that is left ends.
    private static let roundLimit = 2_000

    init(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var configuration = ConnectionPool<Int>.Configuration()
        configuration.maximumPerGroup = 1 + random.below(4)
        configuration.maximum = 1 + random.below(7)
        configuration.maximumIdle = random.below(5)
        configuration.idleLimit = UInt64(1 + random.below(60)) * Self.second
        if random.oneIn(2) { configuration.maximumAge = UInt64(1 + random.below(100)) * Self.second }
        configuration.maximumUnusedGroups = random.below(4)
        groupCount = 1 + random.below(7)
        world = PoolWorld(configuration)
        self.random = random
    }

    /// Runs the simulation.
    ///
    /// - Returns: The rules that were violated.
    func run() -> [String] {
        for _ in 0..<(40 + random.below(160)) where world.faults.isEmpty { step() }
        isCalm = true
        settle()
        return world.faults
    }

    private func step() {
        switch random.below(32) {
        case 0..<9: request()
        case 9..<15: if let call = any(.assigned) { release(call) }
        case 15..<20: if let connection = any(where: { $0.state == .connecting }) { answer(connection) }
        case 20, 21: if let call = any(random.oneIn(3) ? .assigned : .waiting) { cancel(call) }
        case 22: if let connection = any(where: { $0.state == .open && $0.isHTTP2 }) { changeStreams(of: connection) }
        case 23: if let connection = any(where: { $0.state == .open }) { sendAway(connection) }
        case 24, 25: if let connection = any(where: { $0.state != .connecting }) { lose(connection) }
        case 26, 27: if let call = any(.assigned) { resend(call) }
        case 28: useStaleHandles()
        case 29: world.distrust(random.below(groupCount))
        default: passTime(UInt64(random.below(20)) * Self.second)
        }
    }

    private func any(_ state: PoolWorld.Call.State) -> PoolWorld.Call? {
        let calls = world.liveCalls { $0.state == state }
        return calls.isEmpty ? nil : random.pick(calls)
    }

    private func any(where isIncluded: (PoolWorld.Connection) -> Bool) -> PoolWorld.Connection? {
        let connections = world.liveConnections(isIncluded)
        return connections.isEmpty ? nil : random.pick(connections)
    }
}

// MARK: Events

extension PoolSimulation {
    private func request() {
        let group = random.below(groupCount)
        guard !PoolWorld.isPriorKnowledge(group) else { return world.request(group, .priorKnowledge) }
        world.request(group, group % 3 == 1 && !random.oneIn(4) ? .negotiated : .http1)
    }

    private func release(_ call: PoolWorld.Call) {
        let isReusable = isCalm || !random.oneIn(5)
        let peerLimit = random.oneIn(4) ? UInt64(random.below(30)) * Self.second : nil
        let connection = call.connection
        ended.append(call.handle)
        world.perform {
            $0.released(call.handle, isReusable: isReusable, peerIdleLimit: peerLimit, now: world.now)
            world.end(call)
            if let connection { didRelease(connection, isReusable, peerLimit) }
        }
    }

    private func didRelease(_ connection: PoolWorld.Connection, _ isReusable: Bool, _ peerLimit: UInt64?) {
        world.released = connection
        if connection.calls.isEmpty { world.noteIdle(connection, peerLimit) }
        guard connection.state == .open, !isReusable || world.now >= connection.ageDeadline else { return }
        connection.state = .goingAway
    }

    private func cancel(_ call: PoolWorld.Call) {
        let connection = call.state == .assigned ? call.connection : nil
        ended.append(call.handle)
        world.perform {
            $0.cancelled(call.handle, now: world.now)
            world.end(call)
            if let connection { didRelease(connection, connection.isHTTP2, nil) }
        }
    }

    private func resend(_ call: PoolWorld.Call) {
        let overHTTP1 = random.oneIn(4)
        let connection = call.connection
        world.perform {
            $0.resend(call.handle, overHTTP1: overHTTP1, now: world.now)
            world.leave(call)
            call.state = .waiting
            if overHTTP1, !PoolWorld.isPriorKnowledge(call.group) { call.acceptsHTTP2 = false }
            if let connection { didRelease(connection, connection.isHTTP2, nil) }
        }
    }

    /// Lets an attempt succeed or fail.
    private func answer(_ connection: PoolWorld.Connection) {
        if !isCalm, random.oneIn(4) {
            closed.append(connection.handle)
            return world.perform {
                random.oneIn(4) ? $0.lost(connection.handle) : $0.openFailed(connection.handle)
                world.remove(connection)
                forgetOwner(of: connection)
            }
        }
        let isPriorKnowledge = PoolWorld.isPriorKnowledge(connection.group)
        let speaksHTTP2 = isPriorKnowledge || (connection.offersHTTP2 && !random.oneIn(3))
        let streams = isCalm ? 1 + random.below(3) : random.below(4)
        world.givesNewRoom = true
        world.perform {
            $0.opened(connection.handle, speaksHTTP2 ? .http2(streams: streams) : .http1, now: world.now)
            connection.state = .open
            connection.isHTTP2 = speaksHTTP2
            connection.limit = speaksHTTP2 ? streams : 1
            let age = world.configuration.maximumAge
            connection.ageDeadline = age == .max ? .max : world.now + age
            world.noteIdle(connection, nil)
            connection.owner?.connection = nil
            connection.owner = nil
            connection.isSpare = false
        }
    }

    /// A call that began a failed attempt fails, which the pool reports. Another one waits.
    private func forgetOwner(of connection: PoolWorld.Connection) {
        if let owner = connection.owner, owner !== connection.beginner { owner.connection = nil }
    }

    private func changeStreams(of connection: PoolWorld.Connection) {
        let limit = isCalm ? 1 + random.below(4) : random.below(5)
        world.givesNewRoom = true
        world.perform {
            $0.streamLimitChanged(connection.handle, limit, now: world.now)
            connection.limit = limit
        }
    }

    private func sendAway(_ connection: PoolWorld.Connection) {
        world.perform {
            $0.wentAway(connection.handle)
            connection.state = .goingAway
        }
    }

    private func lose(_ connection: PoolWorld.Connection) {
        closed.append(connection.handle)
        world.perform {
            $0.lost(connection.handle)
            world.remove(connection)
        }
        for call in connection.calls where world.faults.isEmpty {
            // Others may have ended in between.
            guard !random.oneIn(3) else { continue }
            random.oneIn(2) ? release(call) : resend(call)
        }
    }

    private func passTime(_ time: UInt64) {
        world.now += time
        guard !random.oneIn(4) else { return }
        let now = world.now
        world.perform {
            $0.expire(now: now)
            for connection in world.liveConnections({ $0.state == .open && now >= $0.ageDeadline }) {
                connection.state = .goingAway
            }
        }
        world.expect(world.pool.nextDeadline > now, "a deadline is left")
    }

    /// Handles of what has ended have no effect.
    private func useStaleHandles() {
        let now = world.now
        world.perform {
            for call in ended.suffix(5) {
                $0.released(call, isReusable: true, now: now)
                $0.cancelled(call, now: now)
                $0.resend(call, now: now)
            }
            for connection in closed.suffix(5) {
                $0.opened(connection, .http1, now: now)
                $0.openFailed(connection)
                $0.streamLimitChanged(connection, 9, now: now)
                $0.wentAway(connection)
                $0.lost(connection)
            }
            world.expect($0.actions.isEmpty, "a stale handle has an effect")
        }
    }
}

// MARK: The end

extension PoolSimulation {
    /// Lets all calls end, and all connections.
    private func settle() {
        for _ in 0..<Self.roundLimit where world.faults.isEmpty && !world.calls.isEmpty {
            if let gate = any(where: \.isClosedGate) {
                changeStreams(of: gate)
            } else if random.oneIn(2), let call = any(.assigned) {
                release(call)
            } else if let connection = any(where: { $0.state == .connecting }) {
                answer(connection)
            } else if let call = any(.assigned) {
                release(call)
            } else {
                return world.faults.append("calls wait for nothing")
            }
        }
        while world.faults.isEmpty, let attempt = any(where: \.isSpare) { answer(attempt) }
        guard world.faults.isEmpty else { return }
        while random.oneIn(2), let connection = any(where: { _ in true }) { lose(connection) }
        passEnd()
        if world.faults.isEmpty { world.checkEnd() }
    }

    /// Lets the time of all idle connections pass, by the deadlines of the pool.
    private func passEnd() {
        for _ in 0..<Self.roundLimit where world.faults.isEmpty && world.pool.nextDeadline != .max {
            world.now = max(world.now, world.pool.nextDeadline)
            let now = world.now
            world.perform { $0.expire(now: now) }
        }
    }
}

@Suite("Pool of connections in any order", .timeLimit(.minutes(5)))
struct PoolSimulationTests {
    @Test(
        "in any order of events, ceilings hold, calls are served in order, each ends once, and nothing is left",
        .tags(.random),
        arguments: 0..<ProofLength.count(4, full: 400)
    )
    func anyOrder(number: Int) async throws {
        let faults = try await SimulationSeeds.faults(of: number) { PoolSimulation(seed: $0).run() }
        #expect(faults.isEmpty)
    }
}
