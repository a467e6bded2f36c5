import HeliumCore
import HeliumEssentials
import HeliumWire
import Synchronization

/// The buffer of a response body between the loop thread and its consumer.
///
/// The loop appends, and the consumer takes all buffered bytes in one block. Above ``highMark`` the transfer pauses
/// until the consumer takes them. The consumer decodes a content coding one chunk at a time, so that a slow consumer
/// holds only coded bytes in memory.
final class StreamSource: BodyStreamSource {
    /// The number of buffered bytes at which the transfer pauses.
    static let highMark = 1 << 20
    /// The number of buffered bytes at which a waiting consumer is woken while more bytes keep arriving. With fewer
    /// bytes it is woken when the loop is idle. A single line is thus delivered at once, and large bodies are delivered
    /// in few large blocks.
    static let wakeMark = 256 << 10
    /// The size of a block into which the loop reads straight.
    static let blockBytes = 256 << 10
    /// The maximum number of bytes that one step of decoding produces.
    static let decodedChunkBytes = 256 << 10

    /// The head of a response, or the failure that replaces it.
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

    /// The consumer's content decoder. It has its own lock, so that the loop does not wait while bytes are decoded.
    fileprivate struct Decoding: ~Copyable {
        var decoder: ContentDecoder?
        /// Bytes taken from the buffer that are not decoded yet from ``position`` on.
        var coded = Data()
        var position = 0
    }

    /// Keeps the transport open until the body is complete, as the caller may have released the transport.
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
                // Also thrown when the body is complete: returning the end would indicate that the caller has read all
                // of it.
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

    /// Stores coded bytes for decoding. Returns `false` if the body has no content coding.
    private func decode(_ coded: Data) -> Bool {
        decoding.withLock { decoding in
            guard decoding.decoder != nil else { return false }
            decoding.coded = coded
            decoding.position = 0
            return true
        }
    }

    /// Returns the next chunk of decoded bytes, or `nil` if more coded bytes are needed first.
    private func decodedChunk() throws(TransportFailure) -> Data? {
        let result = decoding.withLock { $0.chunk() }
        switch result {
        case .success(let chunk): return chunk
        case .failure(let reason): throw fail(reason.abort)
        }
    }

    /// The reason why a coded body is incomplete although all its bytes have arrived; `nil` if it is complete.
    private var incompleteness: TransferAbort? { decoding.withLock { $0.decoder?.incompleteness ?? nil } }

    /// Ends the transfer because of an error in its body.
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
                // Drops the bytes that were not taken. An end that is already known remains.
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

    /// Returns the result of ``CurlTransport/execute(_:)``. Available once the slot's waiter was resumed.
    func response() throws(TransportFailure) -> TransportResponse {
        let head = state.withLock { $0.head }
        switch head {
        case .arrived(let head, let timings):
            // Created here because a stored stream would keep its own source alive.
            return TransportResponse(head: head, body: .stream(BodyStream(source: self)), timings: timings)
        case .missing(let failure): throw failure
        case nil:
            throw TransportFailure(
                .transportFailed,
                delivery: .maybeSent,
                message: "the head of the response is missing"
            )
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
    /// The failure of a decoding step.
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
        // Bytes decoded before the error are dropped, because they may be part of it.
        if let failure { return .failure(Failed(abort: failure)) }
        return .success(body.count > 0 ? body.take() : nil)
    }
}

// MARK: The loop's side

extension StreamSource {
    /// Sets the decoder when the head is complete and indicates a content coding.
    func setDecoder(_ decoder: consuming ContentDecoder) {
        var decoder = Optional(decoder)
        decoding.withLock { $0.decoder = decoder.take() }
    }

    /// Appends bytes. Returns `false` if the transfer has to pause until the consumer has taken them, and `nil` if out of
    /// memory.
    func append(_ bytes: UnsafeRawBufferPointer, now: UInt64) -> Bool? {
        state.withLock { state in
            // After the end there is no reader. The loop is about to be notified.
            if state.isEnded { return true }
            if state.buffer.count == 0 { state.firstWaitingByte = now }
            guard state.buffer.append(bytes, announced: { 64 << 10 }) else { return nil }
            if state.buffer.count >= StreamSource.highMark { state.isPaused = true }
            return !state.isPaused
        }
    }

    /// Lends the buffer to the loop, which reads into it. Meanwhile the consumer finds no bytes and waits.
    ///
    /// - Parameter buffer: An empty buffer, which is exchanged for the lent one.
    /// - Returns: `false` if there is no consumer any more.
    func lend(_ buffer: inout BodyBuffer) -> Bool {
        state.withLock { state in
            guard !state.isEnded else { return false }
            swap(&state.buffer, &buffer)
            return true
        }
    }

    /// Takes the lent buffer back.
    ///
    /// - Parameters:
    ///   - buffer: The lent buffer. It is exchanged for an empty one.
    ///   - count: The number of bytes that the loop has stored at its end.
    /// - Returns: Whether the transfer goes on. Otherwise it has to pause until the consumer has taken the bytes.
    func takeBack(_ buffer: inout BodyBuffer, adding count: Int, now: UInt64) -> Bool {
        state.withLock { state in
            if state.isEnded {
                buffer.reset()
                return true
            }
            if buffer.count == 0 { state.firstWaitingByte = now }
            buffer.didFill(count)
            swap(&state.buffer, &buffer)
            if state.buffer.count >= StreamSource.highMark { state.isPaused = true }
            return !state.isPaused
        }
    }

    /// Whether the transfer pauses until the consumer has taken bytes.
    var isPaused: Bool { state.withLock { $0.isPaused } }

    /// Wakes a waiting consumer if the buffered bytes are due.
    ///
    /// - Returns: Whether a consumer continues to wait although there are bytes.
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

    /// Sets the head, or the failure that replaces it.
    func setHead(_ head: Head) { state.withLock { $0.head = head } }

    /// Marks the transfer as ended. Buffered bytes can still be taken.
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
