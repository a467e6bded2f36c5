import HeliumCore
import Synchronization

@testable import HeliumCurl

/// A connection of a simulated peer, after the rules of sockets and of TLS on them. Events are edges: each is reported once.
final class SimulatedLine: ChannelLine {
    enum PeerEnd: Equatable { case none, ended(isOrderly: Bool), reset }

    let facts = ChannelFacts()
    let isSocket: Bool
    let hasEarlyBytes = false
    let earlyEnd: TransportFailure? = nil
    private let dice: SimulationDice

    /// The number of bytes that the peer has sent.
    private(set) var sent = 0
    private var taken = 0
    /// The bytes that TLS has decrypted and that were not read. They cause no event.
    private var inside = 0
    private(set) var peerEnd = PeerEnd.none
    /// Under TLS, a read may have to write first.
    private var readWaitsForRoom = false

    /// The number of bytes that the system has accepted.
    private(set) var accepted = 0
    private var room: Int
    /// Whether room is reported, because there was not enough.
    private var lacksRoom = false
    /// Under TLS, a write may have to read first.
    private var writeWaitsForPeer = false
    private(set) var hasWriteFailed = false
    private(set) var writingEnds = 0
    private(set) var closes = 0

    private(set) var isEdgeToRead = false
    private(set) var isEdgeToWrite = false
    private(set) var isEdgeToEnd = false
    private(set) var faults: [String] = []
    /// Called before a write fails.
    var onWriteFailure: () -> Void = {}

    init(dice: SimulationDice) {
        self.dice = dice
        isSocket = dice.oneIn(2)
        room = dice.size()
    }

    private static var lost: TransportFailure {
        TransportFailure(.connectionLost, delivery: .notSent, message: "the simulated connection was reset")
    }
}

// MARK: The channel's side

extension SimulatedLine {
    func read(into memory: UnsafeMutableRawBufferPointer) -> ChannelRead {
        checkUse("read")
        if !isSocket, room == 0, peerEnd != .reset, readWaitsForRoom || dice.oneIn(8) {
            readWaitsForRoom = true
            lacksRoom = true
            return .nothing
        }
        var count = min(sent - taken, memory.count)
        if !isSocket {
            if inside == 0 { inside = min(sent - taken, 1 + dice.below(16_384)) }
            count = min(inside, memory.count, 1 + dice.below(16_384))
            inside -= count
        }
        guard count == 0 else {
            SimulatedBytes.copy(at: taken, to: UnsafeMutableRawBufferPointer(rebasing: memory[..<count]))
            taken += count
            return .bytes(count)
        }
        return switch peerEnd {
        case .none: .nothing
        case .ended(let isOrderly): .end(isOrderly: isOrderly)
        case .reset: .failed(Self.lost)
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> ChannelWrite {
        checkUse("write")
        if bytes.isEmpty { faults.append("a write without bytes") }
        if writingEnds > 0 { faults.append("a write after the end of writing") }
        if peerEnd == .reset {
            onWriteFailure()
            hasWriteFailed = true
            return .failed(Self.lost)
        }
        if !isSocket, writeWaitsForPeer || dice.oneIn(60) {
            writeWaitsForPeer = true
            return .nothing
        }
        var count = min(bytes.count, room)
        if isSocket {
            if count < bytes.count { lacksRoom = true }
        } else if count == 0 {
            lacksRoom = true
        } else {
            count = min(count, 1 + dice.below(16_384))
        }
        guard count > 0 else { return .nothing }
        if !SimulatedBytes.match(UnsafeRawBufferPointer(rebasing: bytes[..<count]), at: accepted) {
            faults.append("other bytes were written at \(accepted)")
        }
        accepted += count
        room -= count
        return .bytes(count)
    }

    func write(_ bytes: UnsafeRawBufferPointer, then more: UnsafeRawBufferPointer) -> ChannelWrite {
        if bytes.isEmpty || more.isEmpty { faults.append("a write of two blocks, one of them empty") }
        return isSocket ? (Array(bytes) + Array(more)).withUnsafeBytes { write($0) } : write(bytes)
    }

    func endWriting() -> Bool {
        checkUse("end of writing")
        guard isSocket else { return false }
        writingEnds += 1
        return true
    }

    func takeError() -> TransportFailure? {
        checkUse("question for an error")
        return peerEnd == .reset ? Self.lost : nil
    }

    func close() { closes += 1 }

    private func checkUse(_ what: String) {
        if closes > 0 { faults.append("a \(what) after the line was closed") }
    }
}

// MARK: The peer's side

extension SimulatedLine {
    func peerSends(_ count: Int) {
        guard peerEnd == .none else { return }
        sent += count
        isEdgeToRead = true
    }

    func peerReads(_ count: Int) {
        room += count
        readWaitsForRoom = false
        guard lacksRoom else { return }
        lacksRoom = false
        isEdgeToWrite = true
    }

    /// Sends the record for which a write under TLS waits.
    func peerAnswersTLS() {
        guard writeWaitsForPeer else { return }
        writeWaitsForPeer = false
        isEdgeToRead = true
    }

    func peerEnds(isOrderly: Bool) {
        guard peerEnd == .none else { return }
        // Without TLS there is one way to end.
        peerEnd = .ended(isOrderly: isSocket || isOrderly)
        isEdgeToRead = true
        isEdgeToEnd = true
    }

    func peerResets() {
        guard peerEnd != .reset else { return }
        peerEnd = .reset
        isEdgeToEnd = true
    }
}

// MARK: The driver's side

extension SimulatedLine {
    /// Passes the edges to the channel, once.
    ///
    /// - Returns: Whether there were any.
    func passEdges(to channel: ByteChannel) -> Bool {
        let (read, write, end) = (isEdgeToRead, isEdgeToWrite, isEdgeToEnd)
        guard read || write || end else { return false }
        (isEdgeToRead, isEdgeToWrite, isEdgeToEnd) = (false, false, false)
        channel.isReady(toRead: read, toWrite: write, isEnding: end)
        return true
    }

    /// Passes the events that a driver without edges finds. It waits for what the channel is interested in.
    ///
    /// - Returns: Whether there were any.
    func passLevels(to channel: ByteChannel) -> Bool {
        let interest = channel.interest
        guard interest.toRead || interest.toWrite || interest.toEnd else { return false }
        let isReset = peerEnd == .reset
        // The end of both directions is reported for as long as it is waited for.
        let isHungUp = writingEnds > 0 && peerEnd != .none
        let read = isReset || isHungUp || interest.toRead && (sent - taken > inside || peerEnd != .none || answersTLS())
        let write = isReset || interest.toWrite && room > 0 && !writeWaitsForPeer
        guard read || write else { return false }
        channel.isReady(toRead: read, toWrite: write, isEnding: read)
        return true
    }

    private func answersTLS() -> Bool {
        defer { isEdgeToRead = false }
        return isEdgeToRead
    }
}

/// The loop of simulated channels.
final class SimulatedLoop: ChannelLoop {
    private let signalled = Guarded<[ByteChannel]>([])

    func enqueue(_ channel: ByteChannel) { signalled.withLock { $0.append(channel) } }

    func enqueue(_ job: consuming ExecutorJob) { globalConcurrentExecutor.enqueue(job) }

    /// Passes the signals on.
    ///
    /// - Returns: Whether there were any.
    func passSignals() -> Bool {
        let due = signalled.withLock { signalled in
            defer { signalled = [] }
            return signalled
        }
        for channel in due { channel.takeSignals() }
        return !due.isEmpty
    }
}

/// Makes the lines of simulated channels. The simulation decides when they are connected.
final class SimulatedConnector: ChannelConnecting {
    private let dice: SimulationDice
    /// The lines of each channel that was connected or is being connected.
    private(set) var lines: [ObjectIdentifier: SimulatedLine] = [:]

    init(dice: SimulationDice) { self.dice = dice }

    func connect(_ channel: ByteChannel) -> (any ChannelLine)? {
        if dice.oneIn(20) { return nil }
        let line = SimulatedLine(dice: dice)
        lines[ObjectIdentifier(channel)] = line
        return line
    }
}

// MARK: Planted faults

extension SimulatedLine {
    /// Forgets an edge at times.
    func loseEdges(read: Bool) {
        guard dice.oneIn(3) else { return }
        if read { isEdgeToRead = false } else { isEdgeToWrite = false }
    }

    /// Forgets a reset at times.
    func loseError() { if peerEnd == .reset, dice.oneIn(3) { isEdgeToEnd = false } }

    /// Makes the next read begin with the byte that was read last.
    func repeatByte() { if taken > 0, dice.oneIn(3) { taken -= 1 } }

    /// Makes the next read skip a byte.
    func loseByte() { if sent > taken + inside, dice.oneIn(3) { taken += 1 } }
}
