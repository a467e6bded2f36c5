internal import Foundation
internal import HeliumConcurrency
internal import HeliumCore
public import HeliumWebSocket
internal import Synchronization

/// The events of an app stream (Docs/Protocols/AppNet.md §2.13), for one consumer.
///
/// The stream connects when the first event is requested, and reconnects whenever the connection is lost. The service
/// keeps the events of the meantime, within the limits of its buffer.
///
/// Iterating throws ``AppNetError`` if the service permanently refuses the stream, or `CancellationError` if the task
/// is cancelled. Releasing the iterator closes the connection. Frames that cannot be decoded are skipped and counted in
/// ``unreadableFrames``.
public struct AppStreamEvents: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = StreamEvent

    private let session: AppStreamSession

    init(_ session: AppStreamSession) { self.session = session }

    /// The current state of the connection.
    public var connectionState: ConnectionState { session.currentState.value }

    /// The current and future states of the connection, until the events end.
    public var connectionStates: AsyncStream<ConnectionState> { session.currentState.stream }

    /// The number of frames that could not be decoded.
    public var unreadableFrames: Int { session.unreadable.withLock { $0 } }

    /// Returns the iterator. Further iterators share the events with the first.
    public func makeAsyncIterator() -> Iterator { Iterator(session: session) }

    /// An iterator over events.
    public struct Iterator: AsyncIteratorProtocol {
        let session: AppStreamSession

        /// Returns the next event.
        ///
        /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
        public mutating func next() async throws -> StreamEvent? {
            session.start()
            return try await session.queue.next()
        }
    }
}

/// The owner of the task that reads an app stream. Releasing it ends the task.
final class AppStreamSession: Sendable {
    let queue: BoundedQueue<StreamEvent>
    let currentState = CurrentValue(ConnectionState.idle)
    let unreadable = Guarded(0)
    private let endpoint: StreamEndpoint
    private let client: AppNetClient
    private let options: AppStreamOptions
    private let task = Guarded<Task<Void, Never>?>(nil)

    init(url: URL, client: AppNetClient, options: AppStreamOptions) {
        self.client = client
        self.options = options
        queue = BoundedQueue(limit: options.bufferLimit)
        endpoint = StreamEndpoint(url: url, client: client, options: options.connection)
    }

    deinit {
        task.withLock { $0 }?.cancel()
        currentState.finish(.closed(reason: nil))
    }

    /// Starts reading. Only the first call has an effect.
    func start() {
        task.withLock { task in
            guard task == nil else { return }
            let reader = AppStreamReader(
                endpoint: endpoint,
                client: client,
                options: options,
                queue: queue,
                currentState: currentState,
                noteUnreadable: { [weak self] in self?.unreadable.withLock { $0 += 1 } }
            )
            // The task does not hold the session, whose deallocation ends it.
            task = Task { await reader.run() }
        }
    }
}

/// A reader of an app stream, which runs until it is cancelled.
struct AppStreamReader: Sendable {
    let endpoint: StreamEndpoint
    let client: AppNetClient
    let options: AppStreamOptions
    let queue: BoundedQueue<StreamEvent>
    let currentState: CurrentValue<ConnectionState>
    let noteUnreadable: @Sendable () -> Void

    func run() async {
        let wasConnected = Guarded(false)
        let supervised = SupervisedConnection<StreamConnection>(
            policy: options.connection.backoff,
            clock: endpoint.clock,
            random: endpoint.random
        ) {
            let purges = options.dropsBacklog && !wasConnected.withLock { $0 }
            let connection = try await endpoint.connect(query(purges: purges))
            wasConnected.withLock { $0 = true }
            return connection
        } use: { connection, confirm in
            do { try await read(connection, confirm) } catch {
                await connection.end()
                throw error
            }
            await connection.end()
        }
        var failure = await supervised.run(reportingTo: currentState).map { endpoint.failure($0) }
        if failure is CancellationError { failure = nil }
        currentState.finish(.closed(reason: failure))
        queue.finish(throwing: failure)
    }

    private func query(purges: Bool) -> [(name: String, value: String)] {
        var query = client.parameters.connectionQuery(in: client.dialect)
        if purges { query.append(("purge", "1")) }
        if options.isAutoDeleted { query.append(("auto_delete", "1")) }
        return query
    }

    private func read(_ connection: StreamConnection, _ confirm: () -> Void) async throws {
        var frames = StreamFrames(connection, options: options.connection, endpoint: endpoint)
        while let frame = try await frames.next() {
            confirm()
            guard let event = try? StreamEvent(frame: frame, dialect: client.dialect) else {
                noteUnreadable()
                continue
            }
            try await queue.send(event)
        }
    }
}

extension AppStreamCalls {
    /// Returns the events of a stream. No request is sent before the first event is requested.
    ///
    /// `GET` of the stream's endpoint with an app token. The scheme of its URL selects an endless response or a
    /// WebSocket. On pnut.io all streams of an app have the same endpoint, and ``AppStream/key`` selects one
    /// (Docs/Protocols/AppNet.md §6.2).
    ///
    /// - Parameters:
    ///   - stream: The stream, with its ``AppStream/endpoint``.
    ///   - options: The options for reading.
    /// - Throws: ``AppNetError`` of kind `invalidRequest` if the stream has no endpoint.
    public func events(
        of stream: AppStream,
        options: AppStreamOptions = AppStreamOptions()
    ) throws(AppNetError) -> AppStreamEvents {
        guard var url = stream.endpoint?.url else {
            throw AppNetError(.invalidRequest, "the stream has no endpoint")
        }
        if client.dialect == .pnut, let key = stream.key,
            var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        {
            components.appendQuery([("key", key)])
            url = components.url ?? url
        }
        let client = client.with(options.parameters)
        return AppStreamEvents(AppStreamSession(url: url, client: client, options: options))
    }
}
