public import HeliumEssentials
internal import Synchronization

/// The body of a response as it arrives: an `AsyncSequence` of chunks for one consumer.
///
/// The transfer pauses while the consumer requests no chunk, so a slow consumer holds at most the transport's buffer in
/// memory. Leaving the loop early, cancelling the task or releasing the last copy ends the transfer.
///
/// It may be iterated once: a second iterator continues where the first one stopped.
public struct BodyStream: AsyncSequence, Sendable {
    /// A chunk of the body, never empty.
    public typealias Element = Data

    private let handle: Handle

    /// Creates a stream from a transport's source.
    public init(source: some BodyStreamSource) {
        handle = Handle(source: source, convert: { $0 })
    }

    private init(handle: Handle) { self.handle = handle }

    /// Returns the same stream with its failures converted. The pipeline uses it to add the context of the call.
    package func convertingFailures(_ convert: @escaping @Sendable (TransportFailure) -> any Error) -> BodyStream {
        let outer = handle.convert
        return BodyStream(
            handle: Handle(source: handle.source, keepAlive: handle) { error in
                let error = outer(error)
                return (error as? TransportFailure).map(convert) ?? error
            }
        )
    }

    /// Returns the same stream, which calls `tell` once when it has ended: read to its end, failed, cancelled, or
    /// released.
    package func whenOver(_ tell: @escaping @Sendable () -> Void) -> BodyStream {
        BodyStream(source: WatchedBody(self, tell))
    }

    /// The source that the stream was created with. A testing transport uses it to deliver a response again.
    package var source: any BodyStreamSource { handle.source }

    /// Ends the transfer. Chunks that were not read are dropped.
    public func cancel() { handle.source.cancel() }

    /// Returns the next chunk, without converting failures.
    fileprivate func nextChunk() async throws(TransportFailure) -> Data? { try await handle.source.next() }

    /// Creates an iterator over the chunks.
    public func makeAsyncIterator() -> Iterator { Iterator(handle: handle) }

    /// Iterates over the chunks.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let handle: Handle

        /// Returns the next chunk, or `nil` after the last.
        ///
        /// - Throws: `CancellationError` if the task was cancelled; otherwise the transfer's failure.
        public mutating func next() async throws -> Data? {
            do throws(TransportFailure) {
                return try await handle.source.next()
            } catch {
                if error.kind == .cancelled, Task.isCancelled { throw CancellationError() }
                throw handle.convert(error)
            }
        }
    }
}

extension BodyStream {
    /// Collects the whole body.
    ///
    /// - Parameter limit: The maximum number of bytes. The transfer is ended when more arrive.
    /// - Throws: The stream's error; for more bytes than the limit a ``TransportFailure`` of kind
    ///   ``FailureKind/ceilingExceeded``, converted like the stream's own failures.
    public func collect(upTo limit: Int) async throws -> Data {
        var body = Data()
        for try await chunk in self {
            guard chunk.count <= limit - body.count else {
                cancel()
                throw handle.convert(
                    TransportFailure(
                        .ceilingExceeded,
                        delivery: .answered,
                        message: "the body has more than \(limit) bytes",
                        ceiling: .bodyBytes
                    )
                )
            }
            body.append(chunk)
        }
        return body
    }
}

/// The source of a body's chunks, which a transport implements.
public protocol BodyStreamSource: AnyObject, Sendable {
    /// Returns the next chunk, after waiting for it if necessary, or `nil` after the last.
    ///
    /// Cancelling the calling task ends the transfer and throws kind ``FailureKind/cancelled``.
    func next() async throws(TransportFailure) -> Data?

    /// Ends the transfer. Safe to call at any time, more than once.
    func cancel()
}

/// Ends the transfer when the last copy of the stream and its iterators have been released.
private final class Handle: Sendable {
    let source: any BodyStreamSource
    let convert: @Sendable (TransportFailure) -> any Error
    private let keepAlive: Handle?

    init(
        source: any BodyStreamSource,
        keepAlive: Handle? = nil,
        convert: @escaping @Sendable (TransportFailure) -> any Error
    ) {
        self.source = source
        self.keepAlive = keepAlive
        self.convert = convert
    }

    deinit { if keepAlive == nil { source.cancel() } }
}

/// Passes a body on and reports when it has ended.
private final class WatchedBody: BodyStreamSource {
    private let stream: BodyStream
    private let tell: Guarded<(@Sendable () -> Void)?>

    init(_ stream: BodyStream, _ tell: @escaping @Sendable () -> Void) {
        self.stream = stream
        self.tell = Guarded(tell)
    }

    deinit { end() }

    func next() async throws(TransportFailure) -> Data? {
        do throws(TransportFailure) {
            if let chunk = try await stream.nextChunk() { return chunk }
        } catch {
            end()
            throw error
        }
        end()
        return nil
    }

    func cancel() {
        stream.cancel()
        end()
    }

    private func end() {
        let tell = tell.withLock { tell in
            defer { tell = nil }
            return tell
        }
        tell?()
    }
}
