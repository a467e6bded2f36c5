import HeliumCore
import TestSupport
import Testing

@testable import HeliumCurl

/// One run of a few channels on a simulated loop: they are connected, refused, written, paused, half-closed, closed, cut and
/// reset in any order, by their peers, by other threads, and by their handlers from within every method.
final class ChannelSimulation {
    /// A fault of the loop or the line that the simulation must notice.
    enum Fault: CaseIterable {
        case lostEdge, lostSignal, lostRoom, lostError, repeatedByte, lostByte
    }

    private struct Member {
        let channel: ByteChannel
        let record: ChannelRecord
    }

    private let dice: SimulationDice
    private let fault: Fault?
    private let loop = SimulatedLoop()
    private let connector: SimulatedConnector
    private let host: ChannelHost
    /// Whether the driver reports edges, as epoll does, or levels, as poll does.
    private let hasEdges: Bool
    private var members: [Member] = []
    private var faults: [String] = []

    /// The number of turns in which everything that is left is done.
    private static let turnLimit = 20_000

    init(seed: UInt64, fault: Fault? = nil) {
        dice = SimulationDice(seed: seed)
        self.fault = fault
        connector = SimulatedConnector(dice: dice)
        host = ChannelHost(connector: connector)
        hasEdges = fault != nil || dice.below(3) > 0
    }

    /// Runs the simulation.
    ///
    /// - Returns: The rules that were violated.
    func run() -> [String] {
        for _ in 0..<(40 + dice.below(160)) { step() }
        settle()
        checkRest()
        endAll()
        return faults + members.flatMap { $0.record.faults + ($0.record.line?.faults ?? []) }
    }
}

// MARK: Events

extension ChannelSimulation {
    private func step() {
        switch dice.below(24) {
        case 0, 1: if members.count < 4 { add() }
        case 2, 3: if let member = any() { connect(member) }
        case 4..<8: if let line = any()?.record.line { line.peerSends(dice.size()) }
        case 8..<11: if let line = any()?.record.line { line.peerReads(dice.size()) }
        case 11: if let line = any()?.record.line { line.peerAnswersTLS() }
        case 12: if dice.oneIn(3), let line = any()?.record.line { line.peerEnds(isOrderly: dice.oneIn(2)) }
        case 13: if dice.oneIn(6), let line = any()?.record.line { line.peerResets() }
        case 14, 15: if let member = any(), !member.record.hasEnded { signal(member) }
        default: turn()
        }
    }

    private func any() -> Member? { members.isEmpty ? nil : members[dice.below(members.count)] }

    private func add() {
        let record = ChannelRecord(dice: dice)
        let user = SimulatedUser(record)
        record.user = user
        let target = ChannelTarget(host: "simulated.test", port: 443)
        let channel = ByteChannel(to: target, handler: user, loop: loop)
        members.append(Member(channel: channel, record: record))
        // A signal may come before the loop has taken the channel over.
        if dice.oneIn(8) {
            user.signal(channel)
            _ = loop.passSignals()
        }
        host.add(channel)
        guard let line = connector.lines[ObjectIdentifier(channel)] else { return }
        record.line = line
        line.onWriteFailure = { [unowned record] in
            if record.isPaused || record.isClosing { record.mayLoseBytes = true }
        }
    }

    private func connect(_ member: Member) {
        guard let line = member.record.line, line.closes == 0, !member.record.isOpened, !member.record.hasEnded else {
            return
        }
        guard !dice.oneIn(8) || member.record.isCalm else {
            member.record.isEndedFromOutside = true
            return member.channel.fail(TransportFailure(.connectionFailed, delivery: .notSent, message: "refused"))
        }
        member.channel.connected()
    }

    /// Signals as another thread does.
    private func signal(_ member: Member) {
        guard fault != .lostSignal else {
            member.record.signals.formUnion(.write)
            return
        }
        member.record.user?.signal(member.channel)
    }

    /// Does what a turn of the loop does.
    ///
    /// - Returns: Whether there was anything to do.
    @discardableResult
    private func turn() -> Bool {
        var isBusy = false
        for member in members where member.record.isOpened && !member.record.hasEnded {
            if passEvents(to: member) { isBusy = true }
        }
        if loop.passSignals() { isBusy = true }
        if host.hasWork {
            isBusy = true
            host.runTurns()
        }
        return isBusy
    }

    private func passEvents(to member: Member) -> Bool {
        guard let line = member.record.line else { return false }
        guard hasEdges else { return line.passLevels(to: member.channel) }
        line.plant(fault)
        return line.passEdges(to: member.channel)
    }
}

// MARK: The end

extension ChannelSimulation {
    /// Lets the handlers want everything and the peers take everything, until nothing happens any more.
    private func settle() {
        for member in members {
            member.record.isCalm = true
            connect(member)
            if !member.record.hasEnded { member.record.user?.resume(member.channel) }
        }
        for _ in 0..<Self.turnLimit {
            for line in members.compactMap(\.record.line) where line.closes == 0 {
                line.peerReads(1 << 20)
                line.peerAnswersTLS()
            }
            if !turn() { return }
        }
        faults.append("there is always something to do")
    }

    private func checkRest() {
        if host.count != members.count(where: { !$0.record.hasEnded }) { faults.append("the host has \(host.count)") }
        for record in members.map(\.record) where !record.hasEnded {
            guard let line = record.line else {
                record.faults.append("neither connected nor ended")
                continue
            }
            record.expect(record.isOpened, "not opened")
            record.expect(record.received == line.sent, "\(record.received) of \(line.sent) bytes were received")
            record.expect(line.accepted == record.written, "\(line.accepted) of \(record.written) bytes were written")
            record.expect(!record.isDrainAwaited, "drained was not reported")
            record.expect(record.signals.isEmpty, "signals are left")
            record.expect(line.writingEnds == (record.endsWriting ? 1 : 0), "writing ended \(line.writingEnds) times")
            record.expect(!record.isClosing, "closed, and not ended")
            let isEndKnown =
                switch line.peerEnd {
                case .none: record.peerEnds == 0
                case .ended: record.peerEnds == 1
                // A driver without edges can't wait for it once both directions have ended.
                case .reset: !hasEdges && record.peerEnds == 1 && line.writingEnds > 0
                }
            record.expect(isEndKnown, "the peer's end \(line.peerEnd) was not reported")
        }
    }

    private func endAll() {
        for member in members { member.record.isEndedFromOutside = true }
        if dice.oneIn(2) {
            host.endAll(TransportFailure(.clientClosed, delivery: .notSent, message: "closed"))
        } else {
            for member in members where !member.record.hasEnded {
                member.record.isAborted = true
                member.channel.abort()
            }
        }
        for member in members { member.channel.signal(.end) }
        turn()
        if host.count != 0 { faults.append("the host keeps \(host.count)") }
        for record in members.map(\.record) {
            record.expect(record.hasEnded, "the end was not reported")
            if let line = record.line { record.expect(line.closes == 1, "the line was closed \(line.closes) times") }
        }
    }
}

extension SimulatedLine {
    /// Breaks a promise of the driver or the peer.
    fileprivate func plant(_ fault: ChannelSimulation.Fault?) {
        switch fault {
        case .lostEdge: loseEdges(read: true)
        case .lostRoom: loseEdges(read: false)
        case .lostError: loseError()
        case .repeatedByte: repeatByte()
        case .lostByte: loseByte()
        case .lostSignal, nil: break
        }
    }
}

@Suite("Byte channels in any order", .timeLimit(.minutes(5)))
struct ChannelSimulationTests {
    @Test(
        "in any order of events, each byte arrives once and in order, and each end is reported once",
        .tags(.random),
        arguments: 0..<ProofLength.count(4, full: 200)
    )
    func anyOrder(number: Int) async throws {
        let faults = try await SimulationSeeds.faults(of: number) { ChannelSimulation(seed: $0).run() }
        #expect(faults.isEmpty)
    }

    @Test("a loop or a peer that breaks a promise is noticed", arguments: ChannelSimulation.Fault.allCases)
    func plantedFaults(fault: ChannelSimulation.Fault) {
        let isNoticed = (0..<100).contains { !ChannelSimulation(seed: $0, fault: fault).run().isEmpty }
        #expect(isNoticed)
    }
}
