package import HeliumBytes
import HeliumCore
import HeliumEssentials
import Synchronization

/// A connection that carries bytes in both directions, on the loop of a transport.
///
/// It reads while it is open and not paused, also if no byte is expected, so that the peer's end is known when it comes.
/// What is written and not yet accepted by the system is kept. The handler bounds it: it writes no more before
/// ``ChannelHandler/channelDrained(_:)``.
///
/// `@unchecked Sendable`: all variables are used on the loop's thread only, except for `pending`, which is atomic.
package final class ByteChannel: @unchecked Sendable {
    enum State { case submitted, connecting, open, ended }

    let target: ChannelTarget
    private let loop: any ChannelLoop
    /// The signals that the handler has not got yet.
    private let pending = Atomic<UInt8>(0)

    private var handler: (any ChannelHandler)?
    private(set) var state = State.submitted
    /// The calls that move the bytes, also while the connection is being made. Set by the host.
    var line: (any ChannelLine)?
    /// The loop's side, while the channel belongs to it.
    private var host: ChannelHost?
    /// The index among the channels of the host. Used by the host.
    var index = 0
    /// Whether the channel is in the host's list of channels that have work left. Used by the host.
    var isWaitingForTurn = false

    /// The memory into which the next bytes are read; `nil` if the handler gets all of them.
    var intake: (any ChannelIntake)?
    /// The bytes that the system has not accepted.
    ///
    /// Swift does not check its accesses. The only one that calls others is ``encodeOutput(_:)``, which checks itself.
    @exclusivity(unchecked) private var output = ByteQueue()
    private var isEncoding = false
    /// The bytes after those of `output`. They stay in the memory of their owner.
    private var slice: Data?
    /// The number of bytes that the system has accepted.
    private(set) var acceptedCount: UInt64 = 0
    private var hasWritten = false
    /// Whether a write has returned `false`, so that the handler waits for ``ChannelHandler/channelDrained(_:)``.
    private var isDrainAwaited = false
    /// Whether the socket may have more bytes. An edge is reported once, so it is remembered.
    private var isReadable = false
    /// Whether the socket may accept bytes.
    private var isWritable = false
    /// Whether the system has refused output since it had accepted all of it.
    package private(set) var hasWaited = false
    /// Whether the socket has reported an end or an error. Then it is read until nothing is left.
    private var isEnding = false
    private(set) var hasPeerEnded = false
    /// Whether the peer has ended its direction in order, so that all of its bytes were read, also if a write has failed.
    private(set) var hasPeerEndedInOrder = false
    /// Whether reading has failed, which is reported after the bytes of this turn.
    private var hasFailed = false
    /// Whether both directions have ended, so that the socket reports nothing new. Known for a driver without edges.
    private var isHungUp = false
    private var isPausedByHandler = false
    private var stopsWriting = WritingEnd.none
    /// The failure of a write, which is reported after all bytes that arrived before it.
    private var writeFailure: TransportFailure?

    /// The step after the output has been accepted.
    private enum WritingEnd { case none, direction, channel, done }

    /// The maximum number of bytes that a channel moves in one direction in one turn of the loop.
    static let turnBudget = 256 << 10
    /// The least that a read of TLS takes of the budget. A peer can send records of one byte, each of which costs a read.
    private static let recordCharge = 4 << 10
    /// The size from which bytes are not copied when they are written. Smaller ones go with those before them, in one block.
    static let smallestSlice = 16 << 10

    /// Creates a channel that is not open. It is passed to the loop.
    init(to target: ChannelTarget, handler: any ChannelHandler, loop: any ChannelLoop) {
        self.target = target
        self.handler = handler
        self.loop = loop
    }
}

// MARK: Any thread

extension ByteChannel {
    /// Makes the loop call ``ChannelHandler/channel(_:signalled:)``, unless the channel has ended. Signals before that
    /// call are joined.
    package func signal(_ signals: ChannelSignals) {
        let earlier = pending.bitwiseOr(signals.rawValue, ordering: .acquiringAndReleasing).oldValue
        if earlier == 0 { loop.enqueue(self) }
    }

    /// The executor of the loop's thread.
    package var executor: any TaskExecutor { loop }
}

// MARK: The handler's side

extension ByteChannel {
    /// The facts of the connection. They are known once it is open.
    package var facts: ChannelFacts { line?.facts ?? ChannelFacts() }

    package var isOpen: Bool { state == .open }

    /// Whether neither direction has ended or failed as far as is known, so that a new exchange may begin.
    var isUsable: Bool { state == .open && !hasPeerEnded && !hasFailed && writeFailure == nil && stopsWriting == .none }

    /// Whether bytes of the peer had arrived when the connection was made, and were not read.
    var hasEarlyBytes: Bool { line?.hasEarlyBytes ?? false }

    /// The reason why the connection can't be used, if that was known when it was made.
    var earlyEnd: TransportFailure? { line?.earlyEnd }

    /// Whether nothing was left to read when the socket was last read.
    var isReadToEnd: Bool { !isReadable }

    /// Reads what has arrived and was not reported yet. It must not be called while the handler gets bytes.
    func readNow() {
        guard state == .open else { return }
        isReadable = true
        readAll()
    }

    /// Whether the system has accepted all that was written, so that more may be written.
    package var isDrained: Bool { output.isEmpty && slice == nil }

    /// Calls ``ChannelHandler/channelDrained(_:)`` in the next turn, after the other channels and transfers.
    func drainLater() {
        guard state == .open else { return }
        isDrainAwaited = true
        host?.continueLater(self)
    }

    /// Whether the handler wants no bytes. Meanwhile they stay with the system, which slows the peer down. The peer's end
    /// is reported when reading continues.
    package var isPaused: Bool {
        get { isPausedByHandler }
        set {
            // After close() nothing is read.
            guard stopsWriting != .channel else { return }
            let continues = isPausedByHandler && !newValue
            isPausedByHandler = newValue
            if continues, isReadable { host?.continueLater(self) }
        }
    }

    /// Replaces the handler. The new one gets all later events and bytes.
    package func handOver(to next: any ChannelHandler) {
        guard state != .ended else { return }
        handler = next
        intake = nil
    }

    /// Appends bytes to the output and passes as much as possible to the system.
    ///
    /// - Parameter encode: Appends the bytes.
    /// - Returns: Whether the system has accepted all of the output. Otherwise ``ChannelHandler/channelDrained(_:)`` is
    ///   called when it has, unless the channel ends.
    @discardableResult
    package func write(_ encode: (inout ByteQueue) -> Void) -> Bool {
        guard state == .open, stopsWriting == .none, writeFailure == nil else { return false }
        copySlice()
        encodeOutput(encode)
        return flushNow()
    }

    /// Writes like ``write(_:)``, and `bytes` after what was appended. What the system does not accept of them is kept
    /// without a copy.
    @discardableResult
    func write(_ encode: (inout ByteQueue) -> Void = { _ in }, then bytes: Data) -> Bool {
        guard bytes.count >= ByteChannel.smallestSlice else {
            return write { output in
                encode(&output)
                bytes.withUnsafeBytes { output.append($0) }
            }
        }
        guard state == .open, stopsWriting == .none, writeFailure == nil else { return false }
        copySlice()
        encodeOutput(encode)
        slice = bytes
        return flushNow()
    }

    private func encodeOutput(_ encode: (inout ByteQueue) -> Void) {
        precondition(!isEncoding, "a handler writes while it writes")
        isEncoding = true
        encode(&output)
        isEncoding = false
    }

    private func flushNow() -> Bool {
        if !isDrainAwaited { hasWaited = false }
        let isAccepted = flush()
        if !isAccepted { isDrainAwaited = true }
        return isAccepted
    }

    /// Moves the rest of the bytes that are kept elsewhere to the output, because others follow them.
    private func copySlice() {
        guard let rest = slice else { return }
        slice = nil
        rest.withUnsafeBytes { output.append($0) }
    }

    /// Ends the direction to the peer after the output was accepted by the system. The peer's bytes still arrive.
    ///
    /// libcurl can end TLS only as a whole, so under TLS this is ``close()``.
    package func endWriting() {
        guard state == .open, stopsWriting == .none else { return }
        stopsWriting = .direction
        if isDrained { endWritingNow() }
    }

    /// Ends the channel after the output was accepted by the system; under TLS with close_notify. Nothing more is read.
    package func close() {
        guard state == .open, !isDrained, writeFailure == nil else { return end(.closed) }
        stopsWriting = .channel
        isPausedByHandler = true
    }

    /// Ends the channel at once. Output that the system has not accepted is lost.
    package func abort() { end(.closed) }
}

// MARK: The loop's side

extension ByteChannel {
    /// Called when the loop takes the channel over.
    func begin(on host: ChannelHost) {
        self.host = host
        state = .connecting
    }

    /// Called when the connection is there.
    func connected() {
        guard state == .connecting else { return }
        state = .open
        isWritable = true
        // What arrived before the socket was watched may cause no event: libcurl may have read it.
        isReadable = true
        handler?.channelOpened(self)
        work()
    }

    /// Called with the events of the socket.
    func isReady(toRead: Bool, toWrite: Bool, isEnding: Bool) {
        guard state == .open else { return }
        let isEither = isEnding || line?.isSocket == false
        if toRead || isEither { isReadable = true }
        if toWrite || isEither { isWritable = true }
        if isEnding {
            self.isEnding = true
            // Nothing is read any more, so that a reset shows here only.
            if hasPeerEnded {
                if let failure = line?.takeError() { return fail(failure) }
                isHungUp = true
            }
        }
        work()
    }

    /// The events for which a driver without edges waits. `toEnd` is for errors only, after the peer's end. They can't be
    /// waited for once both directions have ended, because that end is reported again and again.
    var interest: (toRead: Bool, toWrite: Bool, toEnd: Bool) {
        guard state == .open else { return (false, false, false) }
        // After the failure of a write, what has arrived is only read, when the handler wants it.
        let toWrite = !isDrained && writeFailure == nil
        return (!isPausedByHandler && !hasPeerEnded, toWrite, hasPeerEnded && !isHungUp)
    }

    /// Moves what can be moved in this turn.
    func work() {
        guard state == .open else { return }
        if !isDrained {
            let acceptedBefore = acceptedCount
            if !flush(), acceptedCount != acceptedBefore { handler?.channelAdvanced(self) }
        }
        // The output may have gone with another write of this turn.
        if isDrainAwaited, isDrained, state == .open {
            isDrainAwaited = false
            handler?.channelDrained(self)
        }
        readAll()
    }

    /// Passes the signals to the handler.
    func takeSignals() {
        let signals = ChannelSignals(rawValue: pending.exchange(0, ordering: .acquiringAndReleasing))
        guard state != .ended, !signals.isEmpty else { return }
        handler?.channel(self, signalled: signals)
    }

    /// Ends the channel, once.
    func end(_ end: ChannelEnd) {
        guard state != .ended else { return }
        state = .ended
        let (handler, line, host) = (handler, line, host)
        self.handler = nil
        self.line = nil
        self.host = nil
        intake = nil
        slice = nil
        precondition(!isEncoding, "a handler ends its channel while it writes")
        output.removeAll()
        host?.remove(self)
        line?.close()
        handler?.channel(self, ended: end)
    }

    /// Ends the channel because it could not be opened, or was lost.
    func fail(_ failure: TransportFailure) {
        var failure = failure
        failure.delivery = hasWritten ? .maybeSent : .notSent
        end(.failed(failure))
    }
}

// MARK: Moving bytes

extension ByteChannel {
    /// Writes the output until the system accepts no more, the budget is used up, or nothing is left.
    ///
    /// - Returns: Whether nothing is left.
    private func flush() -> Bool {
        guard let line, writeFailure == nil else { return false }
        precondition(!isEncoding, "output is sent while a handler writes")
        var budget = ByteChannel.turnBudget
        while !isDrained {
            guard isWritable else { return false }
            guard budget > 0 else {
                host?.continueLater(self)
                return false
            }
            let (result, count) = write(to: line, upTo: budget)
            switch result {
            case .bytes(let written):
                didWrite(written, of: count, line)
                budget -= written
                consume(written)
            case .nothing: (isWritable, hasWaited) = (false, true)
            case .failed(let failure):
                didFail(toWrite: failure)
                return false
            }
        }
        endWritingNow()
        return true
    }

    /// Writes the beginning of the output.
    ///
    /// - Returns: The result, and the number of bytes that would have been accepted at most.
    private func write(to line: any ChannelLine, upTo limit: Int) -> (ChannelWrite, Int) {
        let first = min(output.count, limit)
        guard let slice, first < limit else {
            let result = output.withBytes { bytes in
                bytes.withUnsafeBytes { line.write(UnsafeRawBufferPointer(rebasing: $0[..<first])) }
            }
            return (result, first)
        }
        let second = min(slice.count, limit - first)
        let result = slice.withUnsafeBytes { bytes in
            let bytes = UnsafeRawBufferPointer(rebasing: bytes[..<second])
            guard first > 0 else { return line.write(bytes) }
            return output.withBytes { output in output.withUnsafeBytes { line.write($0, then: bytes) } }
        }
        return (result, first + second)
    }

    private func didWrite(_ written: Int, of count: Int, _ line: any ChannelLine) {
        hasWritten = true
        acceptedCount &+= UInt64(written)
        if written < count, line.isSocket { (isWritable, hasWaited) = (false, true) }
    }

    /// Removes bytes that the system has accepted from the beginning of the output.
    private func consume(_ count: Int) {
        let first = min(count, output.count)
        output.consume(first)
        guard count > first, let rest = slice else { return }
        let accepted = count - first
        slice = accepted < rest.count ? rest.dropFirst(accepted) : nil
    }

    /// Handles the failure of a write. The peer may have said why before it ended the connection, so the bytes that have
    /// arrived are read first, unless the handler wants none.
    private func didFail(toWrite failure: TransportFailure) {
        hasWritten = true
        guard !isPausedByHandler, !hasPeerEnded else { return fail(failure) }
        writeFailure = failure
        isReadable = true
        isEnding = true
        host?.continueLater(self)
    }

    private func endWritingNow() {
        switch stopsWriting {
        case .none, .done: return
        case .channel:
            if isDrainAwaited {
                isDrainAwaited = false
                handler?.channelDrained(self)
            }
            end(.closed)
        case .direction:
            stopsWriting = .done
            if line?.endWriting() != true { end(.closed) }
        }
    }

    /// Reads until nothing is left, the budget is used up, or the handler pauses.
    private func readAll() {
        guard let host, isReadable, !isPausedByHandler, !hasPeerEnded else { return }
        let memory = host.readMemory
        var budget = ByteChannel.turnBudget
        var hasReceived = false
        var failure: TransportFailure?
        var isOrderly = false
        while isReadable, !isPausedByHandler, let line {
            guard budget > 0 else {
                host.continueLater(self)
                break
            }
            let intake = intake
            let room = intake?.room(upTo: budget)
            let target = room ?? memory
            let result = line.read(into: target)
            if room != nil {
                let count = if case .bytes(let count) = result { count } else { 0 }
                intake?.didFill(count)
            }
            switch result {
            case .bytes(let count):
                budget -= line.isSocket ? count : max(count, ByteChannel.recordCharge)
                hasReceived = true
                if count < target.count, line.isSocket, !isEnding { isReadable = false }
                if room == nil {
                    handler?.channel(self, received: UnsafeRawBufferPointer(rebasing: memory[..<count]).bytes)
                }
            case .nothing: isReadable = false
            case .end(let wasOrderly):
                isReadable = false
                hasPeerEnded = true
                isOrderly = wasOrderly
                // The end of a connection that was reset looks the same once a write has reported the reset. A socket that is
                // closed by its peer first, and then reset, reports a broken pipe.
                let isReset = line.isSocket && writeFailure.map { $0.code != Int(EPIPE) } ?? false
                hasPeerEndedInOrder = wasOrderly && !isReset
            case .failed(let error):
                isReadable = false
                hasFailed = true
                failure = error
            }
        }
        if hasReceived { handler?.channelReceived(self) }
        guard state == .open else { return }
        if let failure = writeFailure ?? failure {
            // What is still to be read comes in the next turn.
            if !isReadable { fail(failure) }
        } else if hasPeerEnded {
            handler?.channel(self, peerEnded: isOrderly)
        }
    }
}
