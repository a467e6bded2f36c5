internal import HeliumConcurrency
package import NIOCore
internal import Synchronization

/// The open connections of the live ports.
///
/// A connection that has not proved who it is has a place of its own, for a short time: however many of these there are,
/// they keep no authenticated client out. Where all of their places are taken the oldest loses its own, so that a client
/// that authenticates soon after it connects always gets in.
package final class LiveChannels: Sendable {
    private struct Waiting {
        let channel: any Channel
        /// The order of arrival.
        let number: Int
        let deadline: Scheduled<Void>
    }

    private struct State {
        var waiting: [ObjectIdentifier: Waiting] = [:]
        var authenticated: [ObjectIdentifier: any Channel] = [:]
        var lastNumber = 0
        var isStopping = false

        var all: [any Channel] { waiting.values.map(\.channel) + authenticated.values }
    }

    private let maximumAuthenticated: Int
    private let maximumWaiting: Int
    private let patience: TimeAmount
    private let state = Guarded(State())

    /// - Parameters:
    ///   - maximum: The most authenticated connections.
    ///   - maximumWaiting: The most connections that are not authenticated.
    ///   - patience: The longest from accepting a connection to its authentication.
    package init(maximum: Int, maximumWaiting: Int, patience: TimeAmount) {
        maximumAuthenticated = maximum
        self.maximumWaiting = maximumWaiting
        self.patience = patience
    }

    /// The number of open connections, authenticated or not.
    package var count: Int { state.withLock { $0.waiting.count + $0.authenticated.count } }

    /// Notes a connection that was just accepted; false where the server stops.
    package func admit(_ channel: any Channel) -> Bool {
        let id = ObjectIdentifier(channel)
        let deadline = channel.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
        let (isAdmitted, evicted) = state.withLock { state -> (Bool, (any Channel)?) in
            guard !state.isStopping else { return (false, nil) }
            var evicted: (any Channel)?
            if state.waiting.count >= maximumWaiting,
                let oldest = state.waiting.min(by: { $0.value.number < $1.value.number })
            {
                state.waiting[oldest.key] = nil
                evicted = oldest.value.channel
            }
            state.lastNumber += 1
            state.waiting[id] = Waiting(channel: channel, number: state.lastNumber, deadline: deadline)
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
                state.authenticated[id] = nil
            }
        }
        return true
    }

    /// Gives a connection that has proved who it is a place among those that last; false where there is none.
    package func authenticate(_ channel: any Channel) -> Bool {
        let id = ObjectIdentifier(channel)
        let (isAuthenticated, deadline) = state.withLock { state -> (Bool, Scheduled<Void>?) in
            if state.authenticated[id] != nil { return (true, nil) }
            // One that was evicted or has closed is not here any more.
            guard let waiting = state.waiting[id], state.authenticated.count < maximumAuthenticated else {
                return (false, nil)
            }
            state.waiting[id] = nil
            state.authenticated[id] = channel
            return (true, waiting.deadline)
        }
        deadline?.cancel()
        return isAuthenticated
    }

    /// Closes all connections without a word.
    package func dropAll() {
        for channel in state.withLock({ $0.all }) { channel.close(promise: nil) }
    }

    /// Admits no more, closes at once those that are not `serving` yet, and what of these is still open after `grace`.
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
