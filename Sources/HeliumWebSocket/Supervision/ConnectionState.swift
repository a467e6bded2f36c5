/// What a supervised connection does now.
public enum ConnectionState: Sendable {
    /// Nothing yet.
    case idle
    /// It connects, for the so-manieth time since the last connection that worked, from 1.
    case connecting(attempt: Int)
    /// It is connected.
    case connected
    /// It waits to connect again.
    ///
    /// - Parameters:
    ///   - until: The wall-clock time since 1970 at which it will.
    ///   - reason: Why the last connection ended; `nil` if the peer ended it in order.
    case waiting(until: Duration, reason: (any Error)?)
    /// It is over.
    ///
    /// - Parameter reason: The failure that no other attempt could change; `nil` if it was ended from here.
    case closed(reason: (any Error)?)
}

extension ConnectionState {
    /// Whether messages can be sent.
    public var isConnected: Bool {
        if case .connected = self { true } else { false }
    }

    /// Whether it is over.
    public var isClosed: Bool {
        if case .closed = self { true } else { false }
    }
}
