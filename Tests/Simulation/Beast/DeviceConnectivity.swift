import HeliumConcurrency
import HeliumCore
import MessageBeast
import Synchronization

/// Tells the engines of a device about its network. One that starts is told the present state.
final class DeviceConnectivity: Connectivity {
    private struct State {
        var present = ConnectivityChange.reachable
        var listeners: [Int: AsyncStream<ConnectivityChange>.Continuation] = [:]
        var last = 0
    }

    private let state = Guarded(State())

    func run(clock: any HeliumClock, _ report: @escaping @Sendable (ConnectivityChange) async -> Void) async {
        let (changes, continuation) = AsyncStream.makeStream(of: ConnectivityChange.self)
        let number = state.withLock { state in
            state.last += 1
            state.listeners[state.last] = continuation
            continuation.yield(state.present)
            return state.last
        }
        for await change in changes { await report(change) }
        state.withLock { $0.listeners[number] = nil }
    }

    func send(_ change: ConnectivityChange) {
        let listeners = state.withLock { state in
            if [.reachable, .unreachable].contains(change) { state.present = change }
            return state.listeners.sorted { $0.key < $1.key }.map(\.value)
        }
        for listener in listeners { listener.yield(change) }
    }
}
