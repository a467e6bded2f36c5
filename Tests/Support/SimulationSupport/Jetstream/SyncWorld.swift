import Foundation
import HeliumCore
import JetstreamCore

/// One simulated course: time, what is due, and what was found.
final class SyncWorld {
    /// The name of the only scope.
    static let scope = "Desk"

    let simulation: Simulation
    let random: RandomSource
    let ledger: ChangeLedger
    /// Changes the frames of the server before they are sent.
    let changingFrame: (String) -> String
    private(set) var now: Duration = .zero
    /// Whether no more faults happen.
    private(set) var isCalm = false
    private(set) var finding: Finding?
    private(set) var clients: [SimulatedClient] = []
    private(set) var server: SimulatedServer?
    private var schedule = Schedule()
    /// The objects of documents that have ended.
    private var ended: [WeakObject] = []
    private var lastToken = 0
    private var eventCount = 0
    /// The number of events after which a course counts as endless.
    private static let maximumEvents = 300_000

    init(_ simulation: Simulation, changingFrame: @escaping (String) -> String = { $0 }) {
        self.simulation = simulation
        self.changingFrame = changingFrame
        random = simulation.random("world")
        ledger = ChangeLedger()
    }

    /// Adds the parts, which hold the world weakly.
    func begin(clientCount: Int) throws {
        server = try SimulatedServer(self)
        for number in 0..<clientCount { clients.append(SimulatedClient(number, in: self)) }
    }

    // MARK: News

    /// Adds a line to the trace.
    func note(_ line: @autoclosure () -> String) {
        simulation.trace.event("\(now.milliseconds) \(line())")
    }

    /// Counts an event of a kind that each long run must have.
    func count(_ kind: Kind) { simulation.trace.count(kind.rawValue) }

    /// Reports what is wrong. The first such report ends the course.
    func fail(_ text: String) {
        note("FINDING \(text)")
        if finding == nil { finding = Finding("at \(now.milliseconds): \(text)") }
    }

    // MARK: Random values

    /// A delay that is random between two bounds.
    func delay(_ range: ClosedRange<Int>) -> Duration {
        .microseconds(Int64(range.lowerBound * 1000 + random.below((range.upperBound - range.lowerBound) * 1000 + 1)))
    }

    func identifier() -> ModelID {
        let bits = (random.bits(), random.bits())
        return withUnsafeBytes(of: bits) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// A number that no other value of the course has.
    func token() -> Int {
        lastToken += 1
        return lastToken
    }

    // MARK: Time

    /// Does something later.
    func after(_ delay: Duration, _ action: @escaping () -> Void) { schedule.add(at: now + delay, action) }

    /// Ends all faults.
    func calm() {
        isCalm = true
        note("calm")
        server?.heal()
        for client in clients { client.heal() }
    }

    /// The part of the world that has not settled; `nil` if all parts have.
    var unrest: String? {
        if server?.isQuiet != true { return "the server is busy" }
        for client in clients {
            guard let process = client.process else { return "\(client.name) has no process" }
            if let unrest = process.unrest { return "\(process.name): \(unrest)" }
        }
        return nil
    }

    /// Notes objects that must be freed by the end of the course.
    func expectFreed(_ objects: [any ModelObject]) { ended += objects.map { WeakObject(object: $0) } }

    /// Checks that no object of the documents is left. Must be called after ``end()``.
    func checkFreed() throws {
        let count = ended.count { $0.object != nil }
        if count > 0 { throw Finding("\(count) objects of documents that have ended are not freed") }
    }

    /// Takes everything apart.
    func end() {
        for client in clients { client.process?.die() }
        schedule = Schedule()
        clients = []
        server = nil
    }

    /// Lets time pass, event by event, until a time is reached or something was found.
    func pass(until end: Duration) throws {
        while true {
            if let finding { throw finding }
            let times = [schedule.next, server?.deadline] + clients.map { $0.process?.deadline }
            guard let time = times.compactMap({ $0 }).min(), time <= end else { break }
            now = max(now, time)
            eventCount += 1
            if eventCount > Self.maximumEvents { fail("there is no end of events") }
            if schedule.next.map({ $0 <= now }) == true {
                schedule.removeNext()?()
            } else {
                server?.fireTimers()
                for client in clients { client.process?.fireTimers() }
            }
            for client in clients { client.process?.document?.endTurn() }
        }
        now = end
    }
}

private struct WeakObject {
    weak var object: (any ModelObject)?
}

extension Duration {
    /// The milliseconds, with three digits after the point.
    var milliseconds: String {
        let microseconds = components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
        let fraction = String(microseconds % 1000)
        return "\(microseconds / 1000)." + String(repeating: "0", count: 3 - fraction.utf8.count) + fraction
    }
}
