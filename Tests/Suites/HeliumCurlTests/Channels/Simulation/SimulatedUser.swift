import Foundation
import HeliumBytes
import HeliumCore

@testable import HeliumCurl

/// The facts of one simulated channel, as its handlers see them, and the rules that were violated.
final class ChannelRecord {
    let dice: SimulationDice
    var user: SimulatedUser?
    var line: SimulatedLine?
    /// Whether the handlers do nothing more by themselves.
    var isCalm = false
    /// Whether the transport has ended the channel, or the connection failed.
    var isEndedFromOutside = false

    var isOpened = false
    var hasEnded = false
    var isPaused = false
    var received = 0
    var peerEnds = 0
    /// Whether bytes were received and the end of the turn was not reported.
    var isWithinTurn = false
    /// The number of bytes that were written to the channel.
    var written = 0
    var isDrainAwaited = false
    var endsWriting = false
    var isClosing = false
    var isAborted = false
    /// Whether a write failed while the handler wanted no bytes, so that those that arrived may be lost.
    var mayLoseBytes = false
    var signals: ChannelSignals = []
    var faults: [String] = []

    init(dice: SimulationDice) { self.dice = dice }

    func expect(_ condition: Bool, _ fault: @autoclosure () -> String) {
        if !condition { faults.append(fault()) }
    }
}

/// A handler that does something at random within each of its methods.
final class SimulatedUser: ChannelHandler {
    private unowned let record: ChannelRecord
    /// The memory into which the channel reads at times.
    private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 96 << 10, alignment: 16)
    private weak var source: ByteChannel?

    deinit { memory.deallocate() }

    init(_ record: ChannelRecord) { self.record = record }

    func channelOpened(_ channel: ByteChannel) {
        check("opened")
        record.expect(!record.isOpened, "opened twice")
        record.isOpened = true
        act(channel)
    }

    func channel(_ channel: ByteChannel, received bytes: RawSpan) {
        bytes.withUnsafeBytes { receive($0) }
        act(channel)
    }

    private func receive(_ bytes: UnsafeRawBufferPointer) {
        check("received")
        record.expect(record.isOpened, "bytes before the channel was open")
        record.expect(!record.isPaused, "bytes while paused")
        record.expect(!record.isClosing, "bytes after close()")
        record.expect(record.peerEnds == 0, "bytes after the peer's end")
        record.expect(bytes.count > 0, "no bytes")
        record.isWithinTurn = true
        record.expect(SimulatedBytes.match(bytes, at: record.received), "other bytes at \(record.received)")
        record.received += bytes.count
    }

    func channelReceived(_ channel: ByteChannel) {
        check("the end of a turn")
        record.expect(record.isWithinTurn, "the end of a turn without bytes")
        record.isWithinTurn = false
        act(channel)
    }

    func channel(_ channel: ByteChannel, peerEnded isOrderly: Bool) {
        check("the peer's end")
        record.expect(!record.isWithinTurn, "the peer's end before the end of the turn")
        record.expect(record.peerEnds == 0, "the peer's end twice")
        record.expect(record.received == record.line?.sent, "the peer's end before all of its bytes")
        if case .ended(let wasOrderly)? = record.line?.peerEnd {
            record.expect(isOrderly == wasOrderly, "another kind of the peer's end")
        }
        record.peerEnds += 1
        act(channel)
    }

    func channelDrained(_ channel: ByteChannel) {
        check("drained")
        record.expect(record.isDrainAwaited, "drained without a write that waits")
        record.expect(channel.isDrained && record.line?.accepted == record.written, "drained with output")
        record.isDrainAwaited = false
        act(channel)
    }

    func channel(_ channel: ByteChannel, signalled signals: ChannelSignals) {
        check("signals")
        record.expect(signals == record.signals, "other signals")
        record.signals = []
        act(channel)
    }

    func channel(_ channel: ByteChannel, ended end: ChannelEnd) {
        check("the end")
        record.hasEnded = true
        let accepted = record.line?.accepted ?? 0
        switch end {
        case .closed:
            record.expect(record.isAborted || record.isClosing || record.endsWriting, "ended by nobody")
            let mayDrop = record.isAborted || record.line?.hasWriteFailed == true
            record.expect(mayDrop || accepted == record.written, "output was dropped at close()")
        case .failed(let failure):
            let isMaybeSent = accepted > 0 || record.line?.hasWriteFailed == true
            record.expect(failure.delivery == (isMaybeSent ? .maybeSent : .notSent), "delivery is \(failure.delivery)")
            // A channel that could not even begin to connect has no line.
            if record.isEndedFromOutside || record.line == nil { break }
            record.expect(record.line?.peerEnd == .reset, "failed without a cause")
            record.expect(
                record.mayLoseBytes || record.received == record.line?.sent,
                "failed before the bytes that had arrived"
            )
        }
        // Nothing of it has an effect any more.
        for _ in 0..<3 { act(channel) }
        record.expect(!channel.isOpen, "open after the end")
    }

    private func check(_ event: String) {
        record.expect(!record.hasEnded, "\(event) after the end")
        record.expect(record.user === self, "\(event) for a handler that was replaced")
    }
}

extension SimulatedUser: ChannelIntake {
    func room(upTo limit: Int) -> UnsafeMutableRawBufferPointer? {
        check("the question for memory")
        record.expect(limit > 0, "a limit of \(limit) bytes")
        record.expect(!record.isPaused && !record.isClosing && record.peerEnds == 0, "a question without a need")
        guard !record.dice.oneIn(4) else { return nil }
        return UnsafeMutableRawBufferPointer(rebasing: memory[..<min(limit, 1 + record.dice.below(memory.count))])
    }

    func didFill(_ count: Int) {
        guard count > 0 else { return }
        receive(UnsafeRawBufferPointer(rebasing: memory[..<count]))
        if let source { act(source) }
    }
}

// MARK: What a handler does

extension SimulatedUser {
    func act(_ channel: ByteChannel) {
        guard !record.isCalm else { return }
        let dice = record.dice
        switch dice.below(20) {
        case 0..<4: write(to: channel)
        case 4: pause(channel)
        case 5, 6: resume(channel)
        case 7: if dice.oneIn(4) { endWriting(channel) }
        case 8: if dice.oneIn(4) { close(channel) }
        case 9: if dice.oneIn(6) { abort(channel) }
        case 10: signal(channel)
        case 11: replace(on: channel)
        case 12:
            pause(channel)
            resume(channel)
        case 13:
            source = channel
            if !record.hasEnded { channel.intake = channel.intake == nil ? self : nil }
        default: break
        }
    }

    private func write(to channel: ByteChannel) {
        let count = record.dice.size()
        var isTaken = false
        // Bytes that stay where they are, after those.
        var block = Data(count: record.dice.oneIn(2) ? 1 + record.dice.below(64 << 10) : 0)
        block.withUnsafeMutableBytes { SimulatedBytes.copy(at: record.written + count, to: $0) }
        let encode: (inout ByteQueue) -> Void = { [record, block] queue in
            isTaken = true
            SimulatedBytes.append(count, at: record.written, to: &queue)
            record.written += count + block.count
        }
        let isAccepted = block.isEmpty ? channel.write(encode) : channel.write(encode, then: block)
        guard isTaken else {
            record.expect(!isAccepted, "a refused write was accepted")
            let mayRefuse = record.hasEnded || !record.isOpened || record.endsWriting || record.isClosing
            record.expect(mayRefuse || record.line?.hasWriteFailed == true, "a write was refused")
            return
        }
        if isAccepted {
            record.expect(record.line?.accepted == record.written, "a write was accepted with output left")
        } else if !record.hasEnded {
            record.isDrainAwaited = true
        }
    }

    func pause(_ channel: ByteChannel) {
        channel.isPaused = true
        record.isPaused = true
    }

    func resume(_ channel: ByteChannel) {
        record.isPaused = false
        channel.isPaused = false
    }

    private func endWriting(_ channel: ByteChannel) {
        if record.isOpened { record.endsWriting = true }
        channel.endWriting()
    }

    private func close(_ channel: ByteChannel) {
        let isAtOnce = channel.isDrained
        record.isClosing = true
        channel.close()
        record.expect(!isAtOnce || record.hasEnded, "close() without output did not end the channel")
    }

    private func abort(_ channel: ByteChannel) {
        record.isAborted = true
        channel.abort()
        record.expect(record.hasEnded, "abort() did not end the channel")
    }

    func signal(_ channel: ByteChannel) {
        let signals = ChannelSignals(rawValue: UInt8(1 << record.dice.below(4)))
        if !record.hasEnded { record.signals.formUnion(signals) }
        channel.signal(signals)
    }

    private func replace(on channel: ByteChannel) {
        guard !record.hasEnded else { return }
        let next = SimulatedUser(record)
        record.user = next
        channel.handOver(to: next)
    }
}
