import Foundation
import HTTPTypes
import HeliumCore
import HeliumTesting
import SimulationSupport
import Synchronization
import TestSupport
import Testing

@Suite("Simulated network", .timeLimit(.minutes(5)))
struct SimulatedNetworkTests {
    @Test("the simulated network delivers with its delays")
    func delivers() async throws {
        let world = World()
        #expect(try await world.call(.delivered).get().head.status == 200)
        #expect(world.arrivals == 1)
    }

    @Test("the simulated network loses a request before it leaves, or its response")
    func loses() async throws {
        let world = World()
        let lost = await world.call(.notSent)
        #expect(lost.failure?.kind == .connectionFailed && lost.failure?.delivery == .notSent && world.arrivals == 0)
        let answered = await world.call(.responseLost)
        #expect(answered.failure?.kind == .connectionLost && answered.failure?.delivery == .maybeSent)
        #expect(world.arrivals == 1)
    }

    @Test("the simulated network delivers a request after its client's timeout, and after a later request")
    func delays() async throws {
        let world = World()
        world.network.plan([.late, .delivered])
        async let late = world.execute("/late")
        // The client's limit, and the arrival.
        await world.clock.waitForSleepers(2)
        world.clock.advance(by: .seconds(30))
        let failure = await late.failure
        #expect(failure?.kind == .timedOut && failure?.delivery == .maybeSent && world.arrivals == 0)
        async let later = world.execute("/later")
        await world.clock.waitForSleepers(2)
        world.clock.advance(by: .milliseconds(200))
        _ = try await later.get()
        #expect(world.targets == ["/later"])
        world.clock.advance(by: .seconds(120))
        try await eventually { world.targets == ["/later", "/late"] }
    }

    @Test("the simulated network delivers a request twice")
    func doubles() async throws {
        let world = World()
        world.network.plan([.doubled])
        async let result = world.execute("/")
        await world.clock.waitForSleepers(2)
        world.clock.advance(by: .seconds(121))
        _ = try await result.get()
        try await eventually { world.arrivals == 2 }
    }

    @Test("the simulated network refuses requests with and without an effect")
    func refuses() async throws {
        let world = World()
        #expect(try await world.call(.serverError(status: 500, hasEffect: false)).get().head.status == 500)
        #expect(world.arrivals == 0)
        #expect(try await world.call(.serverError(status: 503, hasEffect: true)).get().head.status == 503)
        #expect(world.arrivals == 1)
        let limited = try await world.call(.rateLimited(seconds: 17)).get()
        #expect(limited.head.status == 429 && limited.head[.retryAfter] == "17" && world.arrivals == 1)
        #expect(world.trace.counts == ["500": 1, "503 after the effect": 1, "rateLimited": 1])
    }

    @Test("the simulated network has slow responses, some of which are too slow")
    func slowResponses() async throws {
        let world = World()
        var (inTime, late) = (0, 0)
        for _ in 0..<40 {
            switch await world.call(.slowResponse) {
            case .success: inTime += 1
            case .failure(let failure):
                #expect(failure.kind == .timedOut && failure.delivery == .maybeSent)
                late += 1
            }
        }
        #expect(inTime > 5 && late > 5 && world.arrivals == 40)
    }

    @Test("the simulated network delivers a request whose client was cancelled")
    func ignoresCancellation() async throws {
        let world = World()
        world.network.plan([.delivered])
        let call = Task { await world.execute("/cancelled") }
        await world.clock.waitForSleepers()
        call.cancel()
        let result = await call.value
        #expect(result.failure?.kind == .cancelled && result.failure?.delivery == .maybeSent && world.arrivals == 0)
        world.clock.advanceToNextSleeper()
        try await eventually { world.arrivals == 1 }
    }

    @Test("the simulated network without a connection delivers nothing")
    func unreachable() async throws {
        let world = World()
        world.network.setReachable(false)
        #expect(await world.execute("/").failure?.delivery == .notSent)
        #expect(world.arrivals == 0)
    }

    @Test("the simulated network decides by its seed, with every fault, and lets the wall clock jump")
    func decides() async throws {
        let traces = [await Self.storm(1), await Self.storm(1), await Self.storm(2)]
        #expect(traces[0] == traces[1] && traces[0] != traces[2])
        let text = traces[0].joined()
        for word in ["notSent", "responseLost", "late", "doubled", "500", "503", "rateLimited", "slow", "wall clock"] {
            #expect(text.contains(word), "\(word)")
        }
    }

    private static func storm(_ seed: UInt64) async -> [String] {
        let world = World(seed: seed, weather: .foul)
        for number in 0..<400 {
            _ = await world.call(nil, "/\(number)")
            #expect(abs((world.device.wallTime - world.clock.wallTime) / .seconds(1)) <= 12 * 3600)
        }
        return world.trace.lines
    }
}
