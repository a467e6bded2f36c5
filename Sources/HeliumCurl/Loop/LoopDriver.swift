import CLibcurl

/// The platform-dependent part of the loop, which waits for sockets. All methods except ``wake()`` are called on the
/// loop thread.
protocol LoopDriver: AnyObject, Sendable {
    /// Lets libcurl handle pending events.
    func perform(now: UInt64)

    /// Waits for sockets, for ``wake()`` or until `deadline`.
    ///
    /// - Returns: Whether there are events for ``perform(now:)``.
    func wait(until deadline: UInt64) -> Bool

    /// Ends the wait. It can be called on any thread and at any time, also after ``close()``.
    func wake()

    /// Called after a socket was opened for a connection of libcurl's.
    func didOpen(_ socket: curl_socket_t)

    /// Called before a socket of ``didOpen(_:)`` is closed.
    func willClose(_ socket: curl_socket_t)

    /// Closes the driver's descriptors. Called after the multi handle is destroyed.
    func close()
}
