import Foundation
import GRDB
import HTTPTypes
import HeliumCore
import HeliumDatabase
import HeliumTesting
import SimulationSupport
import Synchronization
import Testing

@Suite("Gates of a simulated process", .timeLimit(.minutes(5)))
struct GateTests {
    private let trace = SimulationTrace()

    @Test("a closed gate lets nothing pass")
    func refuses() throws {
        let gate = Gate("alice 1", trace)
        try gate.pass("place")
        #expect(!gate.isShut && gate.passages == 1)
        gate.shut()
        gate.shut()
        #expect(throws: Gate.Shut.self) { try gate.pass("place") }
        #expect(gate.isShut && gate.passages == 1)
        #expect(trace.lines == ["kill alice 1: at rest"])
        #expect(trace.counts == ["killed": 1, "killed: at rest": 1])
    }

    @Test("a gate closes at a numbered passage, or at a named point")
    func plans() throws {
        let counted = Gate("counted", trace)
        counted.shut(after: 2)
        try counted.pass("one")
        try counted.pass("two")
        #expect(throws: Gate.Shut.self) { try counted.pass("three") }
        let named = Gate("named", trace)
        named.shut(atPlace: "C5", occurrence: 2)
        for place in ["C5", "C4", "other"] { try named.pass(place) }
        #expect(throws: Gate.Shut.self) { try named.pass("C5") }
        #expect(trace.lines == ["kill counted: three", "kill named: C5"])
    }

    @Test("a simulated kill comes before or after a change of a file")
    func files() throws {
        var changes = 0
        for (place, expected) in [("write", 0), ("write done", 1)] {
            changes = 0
            let gate = Gate("files", trace)
            gate.shut(atPlace: place)
            #expect(throws: Gate.Shut.self) { try gate.through("write") { changes += 1 } }
            #expect(changes == expected)
        }
    }

    @Test(
        "a transaction is rolled back at a simulated kill, and kept once it is committed",
        arguments: [
            ("write", 0), ("commit", 0), ("committed", 1),
        ]
    )
    func transactions(place: String, rows: Int) async throws {
        let database = try DatabaseQueue()
        try await database.write { try $0.execute(sql: "CREATE TABLE note (id INTEGER PRIMARY KEY)") }
        let gate = Gate("database", trace)
        let access = gate.gated(database)
        gate.shut(atPlace: place)
        let isPublished = Mutex(false)
        await #expect(throws: Gate.Shut.self) {
            try await access.write {
                try $0.execute(sql: "INSERT INTO note DEFAULT VALUES")
            } publish: { _, _ in
                isPublished.withLock { $0 = true }
            }
        }
        await #expect(throws: Gate.Shut.self) { try await access.read { _ in } }
        #expect(!isPublished.withLock { $0 })
        // The next incarnation opens the same database.
        let count = try await Gate("next", trace).gated(database).read { database in
            try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM note")
        }
        #expect(count == rows)
    }

    @Test(
        "requests do not leave a killed process, and their responses do not arrive",
        arguments: [
            ("request", 0), ("response", 1),
        ]
    )
    func requests(place: String, arrivals: Int) async throws {
        let base = MockTransport { _ in .json("{}") }
        let gate = Gate("network", trace)
        let transport = gate.gated(base)
        gate.shut(atPlace: place)
        let request = TransportRequest(method: .get, url: try RequestURL("http://127.0.0.1/"))
        let error = await #expect(throws: TransportFailure.self) { _ = try await transport.execute(request) }
        #expect(error?.kind == .clientClosed && base.requests.count == arrivals)
        await transport.shutdown()
        #expect(!base.isShutDown)
    }

    @Test("a delay in progress ends when the gate closes")
    func pauses() async throws {
        let base = TestClock()
        let gate = Gate("clock", trace)
        let clock = gate.gated(base)
        let sleeper = Task { try await clock.sleep(for: .seconds(60)) }
        await base.waitForSleepers()
        gate.shut()
        await #expect(throws: Gate.Shut.self) { try await sleeper.value }
        await #expect(throws: Gate.Shut.self) { try await clock.sleep(for: .seconds(1)) }
        #expect(base.sleeperCount == 0 && clock.wallTime == base.wallTime)
    }

    @Test("a cancelled delay ends as without a gate")
    func cancellation() async throws {
        let base = TestClock()
        let clock = Gate("clock", trace).gated(base)
        let sleeper = Task { try await clock.sleep(for: .seconds(60)) }
        await base.waitForSleepers()
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }
}
