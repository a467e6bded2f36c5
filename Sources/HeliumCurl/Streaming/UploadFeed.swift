import HeliumCore
import HeliumEssentials
import Synchronization

/// A request's body on its way from its source to the loop thread: ``StreamSource`` in reverse.
///
/// A task asks the source for chunks as long as fewer than ``highMark`` bytes wait; the loop takes what libcurl has room
/// for, and pauses the transfer while there is nothing.
final class UploadFeed: Sendable {
    /// Waiting bytes at which the source is asked for no more.
    static let highMark = 256 << 10

    /// What the loop finds.
    enum Supply: Equatable {
        /// So many bytes were copied; the body's end is known to follow.
        case bytes(Int, isLast: Bool)
        /// Nothing yet: the transfer pauses until ``TransferLoop/resume(_:_:)``.
        case nothing
        case end
        case failed
    }

    fileprivate struct State: ~Copyable {
        var chunks: [Data] = []
        /// Of the first chunk's bytes, how many are taken.
        var taken = 0
        var waiting = 0
        var isPaused = false
        var isEnded = false
        var failure: TransportFailure?
        var room: CheckedContinuation<Void, Never>?
        var task: Task<Void, Never>?
    }

    let length: Int64?
    private let source: any UploadSource
    private let loop: TransferLoop
    private let slot: TransferSlot
    private let generation: UInt64
    private let state = Guarded(State())

    init(_ upload: UploadBody, source: any UploadSource, loop: TransferLoop, slot: TransferSlot) {
        length = upload.length
        self.source = source
        self.loop = loop
        self.slot = slot
        generation = slot.generation
    }

    /// Why the body could not be read to its end.
    var failure: TransportFailure? { state.withLock { $0.failure } }
}

// MARK: The source's side

extension UploadFeed {
    /// Begins to ask the source.
    func start() {
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
            // With the announced length reached, the last chunk waits for the source to confirm that nothing follows: so a
            // longer body is never taken for a whole one.
            var held: Data?
            while let chunk = try await source.next() {
                if chunk.isEmpty { continue }
                count += Int64(chunk.count)
                if let length, count > length {
                    throw UploadFailure("the body has more bytes than the \(length) that were announced")
                }
                if count == length {
                    held = chunk
                } else if await !give(chunk) {
                    return
                }
            }
            if let length, count < length {
                throw UploadFailure("the body has only \(count) of the \(length) bytes that were announced")
            }
            end(with: held)
        } catch {
            fail(error)
        }
        source.cancel()
    }

    /// Adds a chunk and waits until there is room for another; `false` if nobody wants one any more.
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
        // The transfer ends as if it was cancelled, and tells this failure.
        if isFirst { loop.cancel(slot, generation) }
    }
}

// MARK: The loop's side

extension UploadFeed {
    /// Copies what there is into `room`.
    func take(into room: UnsafeMutableRawBufferPointer) -> Supply {
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

    /// The transfer has ended, or never will begin: nobody asks any more.
    func stop() {
        let (waiter, task) = state.withLock { state -> (CheckedContinuation<Void, Never>?, Task<Void, Never>?) in
            state.isEnded = true
            state.chunks = []
            state.waiting = 0
            defer {
                state.room = nil
                state.task = nil
            }
            return (state.room, state.task)
        }
        // What the source does when it is cancelled is not ours, so it is not done on the loop thread.
        Task { [source] in
            task?.cancel()
            source.cancel()
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

extension TransportFailure {
    /// The request's body could not be read.
    init(unreadable error: any Error, delivery: DeliveryState) {
        let message = (error as? UploadFailure)?.description ?? "the source of the request's body failed"
        self.init(.requestBodyFailed, delivery: delivery, message: message, underlying: error)
    }
}
