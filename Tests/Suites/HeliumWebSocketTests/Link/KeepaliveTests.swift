import HeliumCore
import Testing

@testable import HeliumWebSocket

@Suite("Keep-alive of a connection")
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

    @Test("a ping is sent when nothing arrived for the interval, and after each further one")
    func pings() {
        var keeper = keepalive()
        #expect(step(&keeper, at: 5) == .wait(.seconds(15)))
        #expect(step(&keeper, at: 20) == .ping)
        #expect(step(&keeper, at: 20) == .wait(.seconds(20)))
        #expect(step(&keeper, at: 40) == .ping)
    }

    @Test("no ping is sent while bytes arrive")
    func arrivals() {
        var keeper = keepalive()
        #expect(step(&keeper, at: 20, arrival: 15) == .wait(.seconds(15)))
    }

    @Test("a connection ends after too long a silence, with or without pings", arguments: [20, nil])
    func silence(ping: Int?) {
        var keeper = keepalive(ping: ping)
        #expect(step(&keeper, at: 60) == .fail(.silence, limit: .seconds(60)))
        #expect(step(&keeper, at: 60, arrival: 1) != .fail(.silence, limit: .seconds(60)))
    }

    @Test("a silence during which we do not read does not end the connection")
    func heldBack() {
        var keeper = keepalive()
        #expect(step(&keeper, at: 1000, isHeldBack: true) == .wait(.seconds(20)))
    }

    @Test("a connection ends if the system accepts no bytes for too long")
    func stall() {
        var keeper = keepalive()
        #expect(step(&keeper, at: 39, arrival: 39, stalled: 10) == .wait(.seconds(1)))
        #expect(step(&keeper, at: 40, arrival: 39, stalled: 10) == .fail(.send, limit: .seconds(30)))
    }

    @Test("a connection ends if a message stays incomplete, unless we do not read")
    func incomplete() {
        var keeper = keepalive(message: 50)
        #expect(step(&keeper, at: 59, arrival: 58, incomplete: 10) == .wait(.seconds(1)))
        #expect(step(&keeper, at: 60, arrival: 58, incomplete: 10) == .fail(.message, limit: .seconds(50)))
        #expect(step(&keeper, at: 60, arrival: 58) == .wait(.seconds(18)))
        #expect(step(&keeper, at: 60, arrival: 58, incomplete: 10, isHeldBack: true) == .wait(.seconds(20)))
    }

    @Test("a keep-alive without limits does nothing")
    func unlimited() {
        var keeper = keepalive(ping: nil, silence: nil, send: nil)
        #expect(step(&keeper, at: 1_000_000) == nil)
    }

    @Test("a keep-alive with zero limits does not run in a loop")
    func zero() {
        var keeper = keepalive(ping: 0, silence: nil, send: nil)
        _ = step(&keeper, at: 10)
        #expect(step(&keeper, at: 10) == .wait(.milliseconds(1)))
    }
}
