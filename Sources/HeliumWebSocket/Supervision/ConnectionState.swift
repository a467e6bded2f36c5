/// The state of a supervised connection.
public enum ConnectionState: Sendable {
    /// The connection has not been started.
    case idle
    /// The connection is being opened. `attempt` counts the attempts since the last working connection, from 1.
    case connecting(attempt: Int)
    /// The connection is open.
    case connected
    /// The connection waits before connecting again.
    ///
    /// - Parameters:
    ///   - until: The wall-clock time since 1970 at which it connects again.
    ///   - reason: The error that ended the last connection; `nil` if the peer ended it normally.
    case waiting(until: Duration, reason: (any Error)?)
    /// The connection has ended.
    ///
    /// - Parameter reason: The failure that no other attempt could change; `nil` if this side ended the connection.
    case closed(reason: (any Error)?)
}

extension ConnectionState {
    /// Whether messages can be sent.
    public var isConnected: Bool {
        if case .connected = self { true } else { false }
    }

    /// Whether the connection has ended.
    public var isClosed: Bool {
        if case .closed = self { true } else { false }
    }
}
