internal import Foundation
internal import HeliumConcurrency
internal import HeliumCore
public import HeliumWebSocket
internal import Synchronization

/// The events of an app stream (§2.13), for one consumer: it connects when the first is asked for, and again whenever
/// the connection breaks. What happens meanwhile the service keeps, as far as its buffer goes.
///
/// Iterating throws ``AppNetError`` when the service refuses the stream for good, and `CancellationError`. Letting go
/// of the iterator ends the connection. Frames that can't be read are passed over and counted (``unreadableFrames``).
public struct AppStreamEvents: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = StreamEvent

    private let session: AppStreamSession

    init(_ session: AppStreamSession) { self.session = session }

    /// What the connection does now.
    public var connectionState: ConnectionState { session.currentState.value }

    /// What the connection does now and from now on, until the events end.
    public var connectionStates: AsyncStream<ConnectionState> { session.currentState.stream }

    /// How many frames could not be read.
    public var unreadableFrames: Int { session.unreadable.withLock { $0 } }

    /// The only iterator: a second shares the events with the first.
    public func makeAsyncIterator() -> Iterator { Iterator(session: session) }

    /// Takes events.
    public struct Iterator: AsyncIteratorProtocol {
        let session: AppStreamSession

        /// The next event.
        ///
        /// - Throws: ``AppNetError``; `CancellationError`.
        public mutating func next() async throws -> StreamEvent? {
            session.start()
            return try await session.queue.next()
        }
    }
}

/// Reads an app stream as long as somebody has it.
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

    /// Begins, the first time.
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
            // It holds nothing of the session, whose end is its own.
            task = Task { await reader.run() }
        }
    }
}

/// Reads an app stream until it is cancelled.
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
    /// The events of a stream. Nothing is sent before the first is asked for.
    ///
    /// `GET` of the stream's endpoint: an endless answer, or a WebSocket by the URL's scheme; an app token. On pnut.io all
    /// streams of an app have one endpoint, and ``AppStream/key`` says which is meant (§6.2).
    ///
    /// - Parameters:
    ///   - stream: The stream, with its ``AppStream/endpoint``.
    ///   - options: How it is read.
    /// - Throws: ``AppNetError`` of kind `invalidRequest` for a stream without an endpoint.
    public func events(
        of stream: AppStream,
        options: AppStreamOptions = AppStreamOptions()
    ) throws(AppNetError) -> AppStreamEvents {
        guard var url = stream.endpoint?.url else {
            throw AppNetError(.invalidRequest, "the stream has no endpoint")
        }
        if client.dialect == .pnut, let key = stream.key {
            url.append(queryItems: [URLQueryItem(name: "key", value: key)])
        }
        let client = client.with(options.parameters)
        return AppStreamEvents(AppStreamSession(url: url, client: client, options: options))
    }
}
