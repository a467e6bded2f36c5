import CLibcurl

/// How the loop thread waits: everything that differs between platforms. All but ``wake()`` belongs to that thread.
protocol LoopDriver: AnyObject, Sendable {
    /// Lets libcurl do what there is to do.
    func perform(now: UInt64)

    /// Waits for sockets, for ``wake()`` or until `deadline`.
    ///
    /// - Returns: Whether there is something for ``perform(now:)``.
    func wait(until deadline: UInt64) -> Bool

    /// Ends the wait. From any thread, at any time, after ``close()`` too.
    func wake()

    /// A socket was opened for a connection of libcurl's.
    func didOpen(_ socket: curl_socket_t)

    /// A socket of ``didOpen(_:)`` is about to be closed.
    func willClose(_ socket: curl_socket_t)

    /// Gives the driver's descriptors back; called after the multi handle is gone.
    func close()
}
