import HeliumCore
import HeliumEssentials
import Synchronization

/// The buffer of a request body between its source and the loop thread, the counterpart of ``StreamSource``.
///
/// A task reads chunks from the source while fewer than ``highMark`` bytes are buffered. The loop takes as many bytes
/// as the connection has room for, and sends nothing of the body while the buffer is empty. An
/// ``ImmediateUploadSource`` is read by the loop itself; the task reads a chunk only when that has to be waited for.
final class UploadFeed: Sendable {
    /// The number of buffered bytes at which reading from the source pauses.
    static let highMark = 256 << 10

    /// The result of taking bytes from the buffer.
    enum Supply: Equatable {
        /// The number of bytes that were copied, and whether the end of the body is known to follow.
        case bytes(Int, isLast: Bool)
        /// The buffer is empty. The transfer pauses until ``TransferLoop/resume(_:_:)``.
        case nothing
        case end
        case failed
    }

    fileprivate struct State: ~Copyable {
        var chunks: [Data] = []
        /// The number of bytes of the first chunk that were taken.
        var taken = 0
        var waiting = 0
        var isPaused = false
        var isEnded = false
        /// Whether the source was told that nothing more is wanted.
        var isStopped = false
        /// Whether a task reads a chunk that the loop could not read at once.
        var isReading = false
        /// The number of bytes that were read of an immediate source.
        var counted: Int64 = 0
        var failure: TransportFailure?
        var room: CheckedContinuation<Void, Never>?
        var task: Task<Void, Never>?
    }

    let length: Int64?
    private let source: any UploadSource
    private let immediate: (any ImmediateUploadSource)?
    private let loop: TransferLoop
    private let slot: TransferSlot
    private let generation: UInt64
    private let state = Guarded(State())

    init(_ upload: UploadBody, source: any UploadSource, loop: TransferLoop, slot: TransferSlot) {
        length = upload.length
        self.source = source
        immediate = upload.length == nil ? nil : source as? any ImmediateUploadSource
        self.loop = loop
        self.slot = slot
        generation = slot.generation
    }

    /// The failure if the body could not be read to its end; else `nil`.
    var failure: TransportFailure? { state.withLock { $0.failure } }
}

// MARK: The source's side

extension UploadFeed {
    /// Starts to read from the source.
    func start() {
        guard immediate == nil else { return }
        let task = Task { await self.pump() }
        let isOver = state.withLock { state in
            state.task = task
            return state.isEnded
        }
        if isOver { task.cancel() }
    }

    private func pump() async {
        var count: Int64 = 0
        do {
            // When the announced length is reached, the last chunk is held until the source confirms that nothing
            // follows. A body that is longer than announced is thus never sent as complete.
            var held: Data?
            while let chunk = try await source.next() {
                if chunk.isEmpty { continue }
                count += Int64(chunk.count)
                if let length, count > length {
                    throw UploadFailure("the body has more than the announced \(length) bytes")
                }
                if count == length {
                    held = chunk
                } else if await !give(chunk) {
                    return
                }
            }
            if let length, count < length {
                throw UploadFailure("the body has only \(count) of the announced \(length) bytes")
            }
            end(with: held)
        } catch {
            fail(error)
        }
        source.cancel()
    }

    /// Adds a chunk and waits until there is room for another. Returns `false` if the transfer has ended.
    private func give(_ chunk: Data) async -> Bool {
        let isRunning = add(chunk)
        guard isRunning else { return false }
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.waiting < UploadFeed.highMark || state.isEnded { return true }
                state.room = continuation
                return false
            }
            if isReady { continuation.resume() }
        }
        return state.withLock { !$0.isEnded }
    }

    private func add(_ chunk: Data) -> Bool {
        let (isRunning, resumes) = state.withLock { state -> (Bool, Bool) in
            guard !state.isEnded else { return (false, false) }
            state.chunks.append(chunk)
            state.waiting += chunk.count
            defer { state.isPaused = false }
            return (true, state.isPaused)
        }
        if resumes { loop.resume(slot, generation) }
        return isRunning
    }

    private func end(with last: Data?) {
        let resumes = state.withLock { state in
            guard !state.isEnded else { return false }
            if let last {
                state.chunks.append(last)
                state.waiting += last.count
            }
            state.isEnded = true
            defer { state.isPaused = false }
            return state.isPaused
        }
        if resumes { loop.resume(slot, generation) }
    }

    private func fail(_ error: any Error) {
        let failure = TransportFailure(unreadable: error, delivery: .maybeSent)
        let isFirst = state.withLock { state in
            guard !state.isEnded else { return false }
            state.isEnded = true
            state.failure = failure
            return true
        }
        // The transfer ends like a cancelled one, and reports this failure.
        if isFirst { loop.cancel(slot, generation) }
    }
}

// MARK: The loop's side

extension UploadFeed {
    /// Takes at most `limit` bytes of the first chunk, without a copy.
    ///
    /// - Returns: The bytes, and whether the end of the body is known to follow; `nil` if ``take(into:)`` has to be called.
    func takeChunk(upTo limit: Int) -> (Data, isLast: Bool)? {
        let (part, waiter) = state.withLock { state -> ((Data, isLast: Bool)?, CheckedContinuation<Void, Never>?) in
            guard state.failure == nil, let part = state.takeChunk(upTo: limit) else { return (nil, nil) }
            let isLast = state.isEnded && state.waiting == 0
            guard state.waiting < UploadFeed.highMark else { return ((part, isLast), nil) }
            defer { state.room = nil }
            return ((part, isLast), state.room)
        }
        waiter?.resume()
        return part
    }

    /// Whether the loop has found the buffer empty and waits for more.
    var isAwaited: Bool { state.withLock { $0.isPaused } }

    /// Copies as many buffered bytes as fit into `room`.
    func take(into room: UnsafeMutableRawBufferPointer) -> Supply {
        if let immediate, let supply = takeNow(immediate, into: room) { return supply }
        let (supply, waiter) = state.withLock { state -> (Supply, CheckedContinuation<Void, Never>?) in
            if state.failure != nil { return (.failed, nil) }
            if state.waiting == 0 {
                if state.isEnded { return (.end, nil) }
                state.isPaused = true
                return (.nothing, nil)
            }
            let count = state.copy(into: room)
            let isLast = state.isEnded && state.waiting == 0
            guard state.waiting < UploadFeed.highMark else { return (.bytes(count, isLast: isLast), nil) }
            defer { state.room = nil }
            return (.bytes(count, isLast: isLast), state.room)
        }
        waiter?.resume()
        return supply
    }

    /// Stops reading from the source, once. Called when nothing more of the body is sent, and when the transfer has ended or
    /// will never start.
    func stop() {
        let (isFirst, waiter, task) = state.withLock { state in
            state.isEnded = true
            state.chunks = []
            state.waiting = 0
            defer {
                state.isStopped = true
                state.room = nil
                state.task = nil
            }
            return (!state.isStopped, state.room, state.task)
        }
        guard isFirst else { return }
        // The source's reaction to cancellation is not our code, so it does not run on the loop thread. That of an
        // immediate source waits for nothing while no task reads from it.
        if let immediate, task == nil {
            immediate.cancel()
        } else {
            Task { [source] in
                task?.cancel()
                source.cancel()
            }
        }
        waiter?.resume()
    }
}

extension UploadFeed.State {
    fileprivate mutating func copy(into room: UnsafeMutableRawBufferPointer) -> Int {
        var filled = 0
        var used = 0
        while filled < room.count, used < chunks.count {
            let chunk = chunks[used]
            let count = min(chunk.count - taken, room.count - filled)
            let start = chunk.startIndex + taken
            chunk.copyBytes(
                to: UnsafeMutableRawBufferPointer(rebasing: room[filled..<(filled + count)]),
                from: start..<(start + count)
            )
            filled += count
            taken += count
            if taken == chunk.count {
                used += 1
                taken = 0
            }
        }
        chunks.removeFirst(used)
        waiting -= filled
        return filled
    }
}

// MARK: Immediate sources

extension UploadFeed {
    /// Reads the next bytes. Returns `nil` if there are bytes in the buffer.
    private func takeNow(_ source: any ImmediateUploadSource, into room: UnsafeMutableRawBufferPointer) -> Supply? {
        let (isReadable, supply) = state.withLock { state -> (Bool, Supply?) in
            if state.failure != nil { return (false, .failed) }
            if state.waiting > 0 { return (false, nil) }
            if state.isEnded { return (false, .end) }
            if state.isReading { state.isPaused = true }
            return (!state.isReading, .nothing)
        }
        guard isReadable else { return supply }
        do throws(UploadFailure) {
            guard let count = try source.readNow(into: room) else {
                readLater()
                return .nothing
            }
            let isLast = state.withLock { $0.count(count, of: length) }
            return .bytes(count, isLast: isLast)
        } catch {
            fail(error)
            return .failed
        }
    }

    /// Starts a task that reads a chunk.
    private func readLater() {
        let isRunning = state.withLock { state in
            guard !state.isEnded else { return false }
            state.isReading = true
            state.isPaused = true
            return true
        }
        guard isRunning, let length else { return }
        let task = Task { await self.readChunk(ofLength: length) }
        state.withLock { state in
            if state.isReading { state.task = task }
        }
    }

    private func readChunk(ofLength length: Int64) async {
        do {
            let chunk = try await source.next()
            let count = state.withLock { $0.counted + Int64(chunk?.count ?? 0) }
            guard let chunk else {
                throw UploadFailure("the body has only \(count) of the announced \(length) bytes")
            }
            // The last chunk is held until the source confirms that nothing follows.
            let isTooLong = count == length ? try await source.next() != nil : count > length
            if isTooLong {
                throw UploadFailure("the body has more than the announced \(length) bytes")
            }
            let resumes = state.withLock { state in
                state.isReading = false
                state.task = nil
                guard !state.isEnded else { return false }
                state.chunks.append(chunk)
                state.waiting += chunk.count
                _ = state.count(chunk.count, of: length)
                defer { state.isPaused = false }
                return state.isPaused
            }
            if resumes { loop.resume(slot, generation) }
        } catch {
            // The chunk is lost, so nothing may be read after it.
            fail(error)
        }
    }
}

extension UploadFeed.State {
    /// Counts bytes that were read. Returns whether they are the last.
    fileprivate mutating func count(_ added: Int, of length: Int64?) -> Bool {
        counted += Int64(added)
        if counted == length { isEnded = true }
        return isEnded
    }

    fileprivate mutating func takeChunk(upTo limit: Int) -> Data? {
        // Small chunks are copied, so that several go in one block.
        guard let chunk = chunks.first, chunk.count - taken >= ByteChannel.smallestSlice else { return nil }
        let count = min(limit, chunk.count - taken)
        let start = chunk.startIndex + taken
        waiting -= count
        taken += count
        if taken == chunk.count {
            chunks.removeFirst()
            taken = 0
        }
        return chunk[start..<(start + count)]
    }
}

extension TransportFailure {
    /// Creates the failure of a request whose body could not be read.
    init(unreadable error: any Error, delivery: DeliveryState) {
        let message = (error as? UploadFailure)?.description ?? "the source of the request's body failed"
        self.init(.requestBodyFailed, delivery: delivery, message: message, underlying: error)
    }
}
