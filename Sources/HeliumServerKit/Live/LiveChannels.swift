internal import HeliumConcurrency
package import NIOCore
internal import Synchronization

/// The open connections of the live ports.
///
/// Connections that are not authenticated have a separate limit and a deadline. However many there are, they cannot
/// keep out authenticated clients. When their limit is reached, the oldest one is closed. A client that authenticates
/// soon after it connects is therefore always accepted. It is the oldest one of the client that has the most, so that
/// a client that connects again and again closes its own.
///
/// One client has a share of the authenticated connections.
package final class LiveChannels: Sendable {
    private struct Waiting {
        let channel: any Channel
        /// The sequence number of the connection.
        let number: Int
        let client: String
        let deadline: Scheduled<Void>
    }

    private struct State {
        var waiting: [ObjectIdentifier: Waiting] = [:]
        var authenticated: [ObjectIdentifier: any Channel] = [:]
        /// The authenticated connections by client.
        var shares: AddressShare
        var lastNumber = 0
        var isStopping = false

        /// Removes the oldest connection of the client that has the most connections that are not authenticated.
        mutating func evictWaiting() -> (any Channel)? {
            // The number of these connections is a small constant.
            let counts = Dictionary(grouping: waiting.values, by: \.client).mapValues(\.count)
            let most = counts.values.max()
            let candidates = waiting.filter { counts[$0.value.client] == most }
            guard let oldest = candidates.min(by: { $0.value.number < $1.value.number }) else { return nil }
            waiting[oldest.key] = nil
            return oldest.value.channel
        }

        var all: [any Channel] { waiting.values.map(\.channel) + authenticated.values }
    }

    private let maximumAuthenticated: Int
    private let maximumWaiting: Int
    private let patience: TimeAmount
    private let state: Guarded<State>

    /// Creates the registry of a live server's connections.
    ///
    /// - Parameters:
    ///   - maximum: The maximum number of authenticated connections.
    ///   - maximumWaiting: The maximum number of connections that are not authenticated.
    ///   - patience: The maximum time from accepting a connection to its authentication.
    ///   - sharePerAddress: The part of the authenticated connections that one address may have.
    package init(maximum: Int, maximumWaiting: Int, patience: TimeAmount, sharePerAddress: Double) {
        maximumAuthenticated = maximum
        self.maximumWaiting = maximumWaiting
        self.patience = patience
        state = Guarded(State(shares: AddressShare(of: maximum, part: sharePerAddress)))
    }

    /// The number of open connections, authenticated or not.
    package var count: Int { state.withLock { $0.waiting.count + $0.authenticated.count } }

    /// Registers a connection that was just accepted. Returns `false` if the server is stopping.
    package func admit(_ channel: any Channel) -> Bool {
        let id = ObjectIdentifier(channel)
        let deadline = channel.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
        let client = Self.client(of: channel)
        let (isAdmitted, evicted) = state.withLock { state -> (Bool, (any Channel)?) in
            guard !state.isStopping else { return (false, nil) }
            let evicted = state.waiting.count >= maximumWaiting ? state.evictWaiting() : nil
            state.lastNumber += 1
            state.waiting[id] = Waiting(
                channel: channel,
                number: state.lastNumber,
                client: client,
                deadline: deadline
            )
            return (true, evicted)
        }
        evicted?.close(promise: nil)
        guard isAdmitted else {
            deadline.cancel()
            return false
        }
        channel.closeFuture.whenComplete { [self] _ in
            deadline.cancel()
            state.withLock { state in
                state.waiting[id] = nil
                if state.authenticated.removeValue(forKey: id) != nil { state.shares.remove(client) }
            }
        }
        return true
    }

    private static func client(of channel: any Channel) -> String {
        AddressShare.client(of: channel.remoteAddress?.ipAddress ?? "")
    }

    /// Marks a connection as authenticated. Returns `false` if the limit is reached, if its client has used its share, or
    /// if the connection was closed.
    package func authenticate(_ channel: any Channel) -> Bool {
        let id = ObjectIdentifier(channel)
        let (isAuthenticated, deadline) = state.withLock { state -> (Bool, Scheduled<Void>?) in
            if state.authenticated[id] != nil { return (true, nil) }
            // A connection that was evicted or has closed is no longer in `waiting`.
            guard let waiting = state.waiting[id], state.authenticated.count < maximumAuthenticated,
                !state.shares.isUsed(by: waiting.client)
            else { return (false, nil) }
            state.waiting[id] = nil
            state.authenticated[id] = channel
            state.shares.add(waiting.client)
            return (true, waiting.deadline)
        }
        deadline?.cancel()
        return isAuthenticated
    }

    /// Closes all connections without a close message.
    package func dropAll() {
        for channel in state.withLock({ $0.all }) { channel.close(promise: nil) }
    }

    /// Rejects new connections, closes connections that are not in `serving` at once, and closes the others after
    /// `grace`.
    package func stop(serving: Set<ObjectIdentifier>, grace: TimeAmount) {
        let channels = state.withLock { state in
            state.isStopping = true
            return state.all
        }
        for channel in channels {
            guard serving.contains(ObjectIdentifier(channel)) else {
                channel.close(promise: nil)
                continue
            }
            let timer = channel.eventLoop.scheduleTask(in: grace) { channel.close(promise: nil) }
            channel.closeFuture.whenComplete { _ in timer.cancel() }
        }
    }
}
