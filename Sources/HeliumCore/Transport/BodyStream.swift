public import HeliumEssentials
internal import Synchronization

/// The body of an answer as it arrives: an `AsyncSequence` of chunks for one consumer.
///
/// The transfer pauses while nobody asks for more, so a slow consumer holds at most the transport's buffer. Leaving the
/// loop early, cancelling the task, or dropping the last copy ends the transfer.
///
/// It may be iterated once: a second iterator gets what the first has left.
public struct BodyStream: AsyncSequence, Sendable {
    /// A chunk of the body, never empty.
    public typealias Element = Data

    private let handle: Handle

    /// A stream over a transport's source.
    public init(source: some BodyStreamSource) {
        handle = Handle(source: source, convert: { $0 })
    }

    private init(handle: Handle) { self.handle = handle }

    /// The same stream with its failures converted: how the pipeline adds what it knows about the call.
    package func convertingFailures(_ convert: @escaping @Sendable (TransportFailure) -> any Error) -> BodyStream {
        let outer = handle.convert
        return BodyStream(
            handle: Handle(source: handle.source, keepAlive: handle) { error in
                let error = outer(error)
                return (error as? TransportFailure).map(convert) ?? error
            }
        )
    }

    /// The same stream, telling once when it is over: read to its end, failed, cancelled, or dropped.
    package func whenOver(_ tell: @escaping @Sendable () -> Void) -> BodyStream {
        BodyStream(source: WatchedBody(self, tell))
    }

    /// Ends the transfer; what has not been taken is dropped.
    public func cancel() { handle.source.cancel() }

    /// The next chunk, failures unconverted.
    fileprivate func nextChunk() async throws(TransportFailure) -> Data? { try await handle.source.next() }

    /// An iterator over the chunks.
    public func makeAsyncIterator() -> Iterator { Iterator(handle: handle) }

    /// Takes the chunks one by one.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let handle: Handle

        /// The next chunk, or `nil` after the last.
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
    /// - Parameter limit: The most bytes to hold; the transfer is ended when more come.
    /// - Throws: What the stream throws; past the limit a ``TransportFailure`` of kind ``FailureKind/ceilingExceeded``,
    ///   converted like the stream's own failures.
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

/// Where a transport puts the chunks of a body.
public protocol BodyStreamSource: AnyObject, Sendable {
    /// The next chunk, waiting for it if need be; `nil` after the last.
    ///
    /// Cancelling the calling task ends the transfer and throws kind ``FailureKind/cancelled``.
    func next() async throws(TransportFailure) -> Data?

    /// Ends the transfer. Safe to call at any time, more than once.
    func cancel()
}

/// Ends the transfer when the last copy of the stream and its iterators are gone.
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

/// Passes a body on and tells when it is over.
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
