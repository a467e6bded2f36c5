import HeliumCore
import Testing

@testable import HeliumWebSocket

@Suite("The keeper of a connection")
struct KeepaliveTests {
    private typealias Step = Keepalive.Step

    private func keepalive(ping: Int? = 20, silence: Int? = 60, send: Int? = 30, message: Int? = nil) -> Keepalive {
        Keepalive(
            pingInterval: ping.map { .seconds($0) },
            silenceLimit: silence.map { .seconds($0) },
            sendLimit: send.map { .seconds($0) },
            messageLimit: message.map { .seconds($0) }
        )
    }

    private func step(
        _ keepalive: inout Keepalive,
        at now: Int,
        arrival: Int = 0,
        incomplete: Int? = nil,
        stalled: Int? = nil,
        isHeldBack: Bool = false
    ) -> Step? {
        keepalive.step(
            now: .seconds(now),
            lastArrival: .seconds(arrival),
            incompleteSince: incomplete.map { .seconds($0) },
            stalledSince: stalled.map { .seconds($0) },
            isHeldBack: isHeldBack
        )
    }

    @Test("pings when nothing has arrived for the interval, and again after another")
    func pings() {
        var keeper = keepalive()
        #expect(step(&keeper, at: 5) == .wait(.seconds(15)))
        #expect(step(&keeper, at: 20) == .ping)
        #expect(step(&keeper, at: 20) == .wait(.seconds(20)))
        #expect(step(&keeper, at: 40) == .ping)
    }

    @Test("does not ping while something arrives")
    func arrivals() {
        var keeper = keepalive()
        #expect(step(&keeper, at: 20, arrival: 15) == .wait(.seconds(15)))
    }

    @Test("gives up when the silence is too long, pings or not", arguments: [20, nil])
    func silence(ping: Int?) {
        var keeper = keepalive(ping: ping)
        #expect(step(&keeper, at: 60) == .fail(.silence, limit: .seconds(60)))
        #expect(step(&keeper, at: 60, arrival: 1) != .fail(.silence, limit: .seconds(60)))
    }

    @Test("does not blame the peer for a silence that is ours")
    func heldBack() {
        var keeper = keepalive()
        #expect(step(&keeper, at: 1000, isHeldBack: true) == .wait(.seconds(20)))
    }

    @Test("gives up when the system takes nothing for too long")
    func stall() {
        var keeper = keepalive()
        #expect(step(&keeper, at: 39, arrival: 39, stalled: 10) == .wait(.seconds(1)))
        #expect(step(&keeper, at: 40, arrival: 39, stalled: 10) == .fail(.send, limit: .seconds(30)))
    }

    @Test("gives up when a message stays incomplete, though bytes of it arrive, and not when it is us who don't read")
    func incomplete() {
        var keeper = keepalive(message: 50)
        #expect(step(&keeper, at: 59, arrival: 58, incomplete: 10) == .wait(.seconds(1)))
        #expect(step(&keeper, at: 60, arrival: 58, incomplete: 10) == .fail(.message, limit: .seconds(50)))
        #expect(step(&keeper, at: 60, arrival: 58) == .wait(.seconds(18)))
        #expect(step(&keeper, at: 60, arrival: 58, incomplete: 10, isHeldBack: true) == .wait(.seconds(20)))
    }

    @Test("has nothing to do without limits")
    func unlimited() {
        var keeper = keepalive(ping: nil, silence: nil, send: nil)
        #expect(step(&keeper, at: 1_000_000) == nil)
    }

    @Test("never asks to be called at once for ever")
    func zero() {
        var keeper = keepalive(ping: 0, silence: nil, send: nil)
        _ = step(&keeper, at: 10)
        #expect(step(&keeper, at: 10) == .wait(.milliseconds(1)))
    }
}
