import HeliumConcurrency
import HeliumWebSocket
import Synchronization

/// Reports on stderr when a live connection is lost, with the reason, and when it works again.
///
/// An open socket does not work yet: a server whose store fails accepts it and closes it at once. The connection works
/// when its session or subscription is established. The states of the socket and the events of the session arrive in
/// two streams, so an event may be handled before the state that precedes it.
final class ConnectionReporter: Sendable {
    private struct State {
        var interruption: String?
        var isOpen = false
        /// Whether the session was established on a socket that is not known to be open yet.
        var isEstablishedEarly = false

        mutating func established() -> Bool {
            defer { interruption = nil }
            isEstablishedEarly = false
            return interruption != nil
        }
    }

    private let state = Guarded(State())
    private let note: @Sendable (OutputText) -> Void

    /// Creates a reporter that writes with a function. Default: to standard error.
    init(note: @escaping @Sendable (OutputText) -> Void = { Console.current.note($0) }) {
        self.note = note
    }

    /// The reason why there is no working connection; `nil` if there is one, or if no attempt was made.
    var reason: String? { state.withLock { $0.interruption } }

    /// Handles a state of the socket.
    func report(_ connection: ConnectionState) {
        switch connection {
        case .waiting(_, let reason):
            let text = reason.map { String(describing: $0) } ?? "the server closed the connection"
            state.withLock { state in
                state.isOpen = false
                state.interruption = text
            }
            note("helium: no connection, retrying: \(text)")
        case .connected:
            let isRestored = state.withLock { state in
                state.isOpen = true
                return state.isEstablishedEarly && state.established()
            }
            if isRestored { note("helium: reconnected") }
        case .idle, .connecting, .closed: break
        }
    }

    /// Handles the establishment of the session or of a subscription on the current socket.
    func established() {
        let isRestored = state.withLock { state in
            if state.isOpen { return state.established() }
            state.isEstablishedEarly = true
            return false
        }
        if isRestored { note("helium: reconnected") }
    }
}
