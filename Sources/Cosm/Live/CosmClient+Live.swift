internal import Foundation
internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumCurl
internal import HeliumKit
internal import HeliumWebSocket
internal import Synchronization

extension CosmClient {
    /// The live socket of this API.
    ///
    /// All APIs of the process that have the same key, socket URL and connection settings share one socket. It has these
    /// settings, but no connection of an API, so it stays open when one of them is closed. It uses the clock and the
    /// random source of the first of these APIs. After ``CosmSocket/close()`` they share a new socket.
    ///
    /// - Throws: ``CosmError`` of kind ``CosmError/Kind/invalidConfiguration`` for an API without ``socketURL``.
    public var socket: CosmSocket {
        get throws(CosmError) {
            guard let socketURL else {
                throw CosmError(
                    .invalidConfiguration,
                    "the API has no URL of a live socket: create CosmClient with a socketURL"
                )
            }
            return SocketRegistry.shared.socket(for: self, at: socketURL)
        }
    }

    /// The connection settings of the live socket: those of requests, which a transport of the program may send.
    fileprivate var socketConnection: CurlTransport.Configuration {
        guard connection == CurlTransport.Configuration(), let own = environment.transport as? CurlTransport else {
            return connection
        }
        return own.configuration
    }

    /// Subscribes to a feed and returns once the server has confirmed the subscription.
    ///
    /// - Parameters:
    ///   - feed: The feed's id.
    ///   - options: The updates beyond the server's pushes, and the size of the buffer.
    ///   - socket: The connection to use. Default: ``socket``.
    /// - Throws: ``CosmError``, of a kind such as `unauthorized`, `forbidden` or `notFound` if the server rejects the
    ///   subscription, and `failed` if there is no connection within ``CosmSocketOptions/subscribeTimeout``. A server
    ///   that is overloaded or fails is asked again until then, and its error is thrown. `CancellationError`.
    public func subscribe(
        to feed: Feed.ID,
        options: SubscriptionOptions = SubscriptionOptions(),
        on socket: CosmSocket? = nil
    ) async throws -> LiveSubscription<Feed> {
        try await (socket ?? self.socket).follow(.feed(feed), reader: self, options: options)
    }

    /// Subscribes to a datastream and returns once the server has confirmed the subscription.
    ///
    /// - Parameters:
    ///   - datastream: The datastream's id.
    ///   - feed: The feed of the datastream.
    ///   - options: The updates beyond the server's pushes, and the size of the buffer.
    ///   - socket: The connection to use. Default: ``socket``.
    /// - Throws: The errors of ``subscribe(to:options:on:)``.
    public func subscribe(
        to datastream: String,
        in feed: Feed.ID,
        options: SubscriptionOptions = SubscriptionOptions(),
        on socket: CosmSocket? = nil
    ) async throws -> LiveSubscription<Datastream> {
        let resource = LiveResource.datastream(datastream, in: feed)
        return try await (socket ?? self.socket).follow(resource, reader: self, options: options)
    }
}

/// The sockets in use, by which APIs with the same key share theirs. It holds them weakly.
private final class SocketRegistry: Sendable {
    static let shared = SocketRegistry()

    private struct Key: Hashable {
        let url: URL
        let apiKey: Secret?
        let connection: CurlTransport.Configuration
    }

    private let sockets = Guarded<[Key: WeakReference<CosmSocket>]>([:])

    func socket(for api: CosmClient, at url: URL) -> CosmSocket {
        let key = Key(url: url, apiKey: api.apiKey, connection: api.socketConnection)
        return sockets.withLock { sockets in
            // A socket that a program has closed cannot be used again.
            if let socket = sockets[key]?.object, !socket.isClosedByProgram { return socket }
            sockets = sockets.filter { $0.value.object != nil }
            var options = CosmSocketOptions()
            options.connection.clock = api.environment.clock
            options.connection.random = api.environment.random
            let socket = CosmSocket(
                url: key.url,
                apiKey: key.apiKey,
                options: options,
                transport: key.connection
            )
            sockets[key] = WeakReference(socket)
            return socket
        }
    }
}
