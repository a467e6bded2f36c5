import HeliumCore
import HeliumEssentials
import Synchronization

/// A body on its way from the loop thread to its consumer.
///
/// The loop appends, the consumer takes all there is in one block; past ``highMark`` the transfer pauses until it does.
/// A content coding is undone by the consumer, a chunk at a time, so that a slow one holds only coded bytes in memory.
final class StreamSource: BodyStreamSource {
    /// Buffered bytes at which the transfer pauses.
    static let highMark = 1 << 20
    /// Buffered bytes at which a waiting consumer is woken while more keeps coming. With fewer it is woken when the loop
    /// has nothing else to do, so that a line is there at once and bulk comes in few large blocks.
    static let wakeMark = 256 << 10
    /// The most bytes that one step of decoding yields.
    static let decodedChunkBytes = 256 << 10

    /// The beginning of an answer, or why there is none.
    enum Head {
        case arrived(ResponseHead, TransferTimings)
        case missing(TransportFailure)
    }

    fileprivate struct State: ~Copyable {
        var head: Head?
        var buffer = BodyBuffer()
        var isPaused = false
        var isEnded = false
        var failure: TransportFailure?
        var waiters: [CheckedContinuation<Void, Never>] = []
        var firstWaitingByte: UInt64 = 0
    }

    /// The consumer's content decoder. It has its own lock, which the loop does not wait for while
    /// bytes are decoded.
    fileprivate struct Decoding: ~Copyable {
        var decoder: ContentDecoder?
        /// Taken from the buffer, not yet decoded from ``position`` on.
        var coded = Data()
        var position = 0
    }

    /// Keeps the transport open as long as the body comes: the caller may have let go of it.
    private let transport: CurlTransport
    private let slot: TransferSlot
    private let generation: UInt64
    private let state = Guarded(State())
    private let decoding = Guarded(Decoding())

    init(transport: CurlTransport, slot: TransferSlot, generation: UInt64) {
        self.transport = transport
        self.slot = slot
        self.generation = generation
    }
}

// MARK: The consumer's side

extension StreamSource {
    func next() async throws(TransportFailure) -> Data? {
        while true {
            if Task.isCancelled {
                cancel()
                // Also when the body is all there: an end would tell the caller that it has read all of it.
                throw TransportFailure(.cancelled, delivery: .answered, message: "the stream was cancelled")
            }
            if let chunk = try decodedChunk() { return chunk }
            let (step, resumes) = state.withLock { state -> (Step, Bool) in
                if state.buffer.count > 0 {
                    let wasPaused = state.isPaused
                    state.isPaused = false
                    return (.chunk(state.buffer.take()), wasPaused)
                }
                if let failure = state.failure { return (.failure(failure), false) }
                return (state.isEnded ? .end : .wait, false)
            }
            if resumes { transport.loop.resume(slot, generation) }
            switch step {
            case .chunk(let data): if !decode(data) { return data }
            case .failure(let failure): throw failure
            case .end:
                if let reason = incompleteness { throw fail(reason) }
                return nil
            case .wait: await waitForMore()
            }
        }
    }

    private enum Step { case chunk(Data), failure(TransportFailure), end, wait }

    /// Keeps coded bytes to be decoded; `false` if the body is not coded.
    private func decode(_ coded: Data) -> Bool {
        decoding.withLock { decoding in
            guard decoding.decoder != nil else { return false }
            decoding.coded = coded
            decoding.position = 0
            return true
        }
    }

    /// A chunk of what the kept bytes decode to; `nil` if more have to come first.
    private func decodedChunk() throws(TransportFailure) -> Data? {
        let result = decoding.withLock { $0.chunk() }
        switch result {
        case .success(let chunk): return chunk
        case .failure(let reason): throw fail(reason.abort)
        }
    }

    /// Why a coded body is not complete although all of it has come.
    private var incompleteness: TransferAbort? { decoding.withLock { $0.decoder?.incompleteness ?? nil } }

    /// Ends the transfer for a reason that shows in its body.
    private func fail(_ reason: TransferAbort) -> TransportFailure {
        let (kind, message, ceiling) = reason.responseFailure ?? (.transportFailed, "the transfer failed", nil)
        let failure = TransportFailure(kind, delivery: .answered, message: message, ceiling: ceiling)
        let isRunning = state.withLock { state in
            _ = state.buffer.take()
            state.failure = failure
            defer { state.isEnded = true }
            return !state.isEnded
        }
        decoding.withLock { $0.coded = Data() }
        if isRunning { transport.loop.cancel(slot, generation) }
        return failure
    }

    private func waitForMore() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.buffer.count > 0 || state.isEnded { return true }
                    state.waiters.append(continuation)
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            cancel()
        }
    }

    func cancel() {
        let (isRunning, waiters) = state.withLock { state -> (Bool, [CheckedContinuation<Void, Never>]) in
            guard !state.isEnded else {
                // What was not taken is dropped, an end already known stays.
                _ = state.buffer.take()
                return (false, [])
            }
            state.isEnded = true
            state.failure = TransportFailure(.cancelled, delivery: .answered, message: "the stream was cancelled")
            _ = state.buffer.take()
            return (true, state.takeWaiters())
        }
        decoding.withLock { $0.coded = Data() }
        if isRunning { transport.loop.cancel(slot, generation) }
        for waiter in waiters { waiter.resume() }
    }

    /// What ``CurlTransport/execute(_:)`` returns; there once the slot's waiter was resumed.
    func response() throws(TransportFailure) -> TransportResponse {
        let head = state.withLock { $0.head }
        switch head {
        case .arrived(let head, let timings):
            // Made here: kept inside, a stream would keep its own source alive.
            return TransportResponse(head: head, body: .stream(BodyStream(source: self)), timings: timings)
        case .missing(let failure): throw failure
        case nil:
            throw TransportFailure(.transportFailed, delivery: .maybeSent, message: "the answer's head is missing")
        }
    }
}

extension StreamSource.State {
    fileprivate mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
        defer { waiters = [] }
        return waiters
    }
}

extension StreamSource.Decoding {
    /// Why a step of decoding failed.
    struct Failed: Error { let abort: TransferAbort }

    mutating func chunk() -> Result<Data?, Failed> {
        guard decoder != nil, !coded.isEmpty else { return .success(nil) }
        var body = BodyBuffer()
        var failure: TransferAbort?
        var isOver = false
        coded.withUnsafeBytes { bytes in
            while failure == nil, !isOver, body.count < StreamSource.decodedChunkBytes {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[position...])
                switch decoder?.decode(rest, into: &body, limit: StreamSource.decodedChunkBytes - body.count) {
                case .took(let count, let isFull)?:
                    position += count
                    isOver = position == bytes.count && !isFull
                case .failed(let reason)?: failure = reason
                case nil: isOver = true
                }
            }
        }
        if isOver { coded = Data() }
        // What was decoded before a fault is dropped with it: it may be the fault's.
        if let failure { return .failure(Failed(abort: failure)) }
        return .success(body.count > 0 ? body.take() : nil)
    }
}

// MARK: The loop's side

extension StreamSource {
    /// The head is complete, and says that the body is coded.
    func setDecoder(_ decoder: consuming ContentDecoder) {
        var decoder = Optional(decoder)
        decoding.withLock { $0.decoder = decoder.take() }
    }

    /// Takes bytes: `false` if the transfer has to pause (nothing was taken), `nil` without memory.
    func append(_ bytes: UnsafeRawBufferPointer, now: UInt64) -> Bool? {
        state.withLock { state in
            // After the end nobody reads; the loop is about to hear of it.
            if state.isEnded { return true }
            if state.buffer.count >= StreamSource.highMark {
                state.isPaused = true
                return false
            }
            if state.buffer.count == 0 { state.firstWaitingByte = now }
            return state.buffer.append(bytes, announced: { 64 << 10 }) ? true : nil
        }
    }

    /// Wakes the consumer if it waits for what is there.
    ///
    /// - Returns: Whether a consumer goes on waiting although there are bytes.
    func wake(isIdle: Bool, now: UInt64) -> Bool {
        let (waiters, isHeldBack) = state.withLock { state -> ([CheckedContinuation<Void, Never>], Bool) in
            guard state.buffer.count > 0, !state.waiters.isEmpty else { return ([], false) }
            let isDue =
                isIdle || state.buffer.count >= StreamSource.wakeMark
                || now &- state.firstWaitingByte > 1_000_000
            return isDue ? (state.takeWaiters(), false) : ([], true)
        }
        for waiter in waiters { waiter.resume() }
        return isHeldBack
    }

    /// The head is there, or never will be.
    func setHead(_ head: Head) { state.withLock { $0.head = head } }

    /// The transfer has ended; what is buffered can still be taken.
    func end(_ failure: TransportFailure?) {
        let waiters = state.withLock { state in
            if !state.isEnded {
                state.isEnded = true
                state.failure = failure
            }
            return state.takeWaiters()
        }
        for waiter in waiters { waiter.resume() }
    }
}
