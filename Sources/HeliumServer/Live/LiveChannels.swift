internal import HeliumConcurrency
internal import NIOCore
internal import Synchronization

/// The open connections of the live ports.
final class LiveChannels: Sendable {
    private struct State {
        var open: [ObjectIdentifier: any Channel] = [:]
        var isStopping = false
    }

    private let maximum: Int
    private let state = Guarded(State())

    init(maximum: Int) { self.maximum = maximum }

    var count: Int { state.withLock { $0.open.count } }

    /// Notes a connection; false where there are too many, or the server stops.
    func admit(_ channel: any Channel) -> Bool {
        let isAdmitted = state.withLock { state in
            guard !state.isStopping, state.open.count < maximum else { return false }
            state.open[ObjectIdentifier(channel)] = channel
            return true
        }
        if isAdmitted {
            channel.closeFuture.whenComplete { [self] _ in
                state.withLock { $0.open[ObjectIdentifier(channel)] = nil }
            }
        }
        return isAdmitted
    }

    /// Closes all connections without a word.
    func dropAll() {
        for channel in state.withLock({ Array($0.open.values) }) { channel.close(promise: nil) }
    }

    /// Admits no more, closes at once those that are not `serving` yet, and what of these is still open after `grace`.
    func stop(serving: Set<ObjectIdentifier>, grace: TimeAmount) {
        let channels = state.withLock { state in
            state.isStopping = true
            return Array(state.open.values)
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
