import CLibcurl

/// The part of the loop that depends on the platform: the clock, the connections, and the wait for sockets. All methods
/// except ``wake()`` are called on the loop thread. A simulation has a driver of its own.
protocol LoopDriver: AnyObject, Sendable {
    /// The monotonic time in nanoseconds.
    var now: UInt64 { get }

    /// Returns the maker of the channels' connections, or `nil` if there is no memory. Called at most once.
    func makeConnector(allowsLocalAddresses: Bool) -> (any LoopConnector)?

    /// Lets libcurl and channels handle pending events.
    func perform(now: UInt64)

    /// Waits for sockets, for ``wake()`` or until `deadline`.
    ///
    /// - Returns: Whether there are events for ``perform(now:)``.
    func wait(until deadline: UInt64) -> Bool

    /// Ends the wait. It can be called on any thread and at any time, also after ``close()``.
    func wake()

    /// Called after a socket was opened for a connection of libcurl's.
    func didOpen(_ socket: curl_socket_t)

    /// Called before a socket of ``didOpen(_:)`` is closed, possibly twice.
    func willClose(_ socket: curl_socket_t)

    /// Serves the multi handle that makes the connections. Called once, before ``watch(_:for:)``.
    func serve(_ multi: UnsafeMutableRawPointer)

    /// Reports the events of a connected socket to a channel until ``willClose(_:)``. libcurl no longer watches it.
    func watch(_ socket: curl_socket_t, for channel: ByteChannel)

    /// Closes the driver's descriptors. Called after the multi handle is destroyed.
    func close()
}

/// Makes the connections of a loop's channels. Used on the loop's thread.
protocol LoopConnector: ChannelConnecting {
    /// Reports the connections that are there, and those that failed.
    func collect()

    /// Releases all resources. All channels have ended.
    func dispose()
}

extension LoopDriver {
    var now: UInt64 { LoopTurn.read() }

    func makeConnector(allowsLocalAddresses: Bool) -> (any LoopConnector)? {
        ChannelConnector(driver: self, allowsLocalAddresses: allowsLocalAddresses)
    }
}
