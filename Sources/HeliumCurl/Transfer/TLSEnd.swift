import CLibcurl

/// The end of a TLS connection as its peer announced it, or did not.
///
/// `@unchecked Sendable`: not copyable, so its reference has one owner; what it refers to is atomic.
struct TLSEnd: ~Copyable, @unchecked Sendable {
    private let end: OpaquePointer

    /// The end of the connection that a transfer runs on, from within one of its callbacks; `nil` without TLS, and where
    /// libcurl was built with another library than OpenSSL 3.
    init?(of easy: UnsafeMutableRawPointer) {
        guard let end = helium_tls_end_retain(easy) else { return nil }
        self.end = end
    }

    deinit { helium_tls_end_release(end) }

    /// Makes the connections that a handle opens note their end.
    static func watch(_ easy: UnsafeMutableRawPointer) { helium_tls_end_watch(easy) }

    /// Whether the peer has closed the connection (close_notify), so that all it had to send has arrived.
    var isOrderly: Bool { helium_tls_end_is_orderly(end) }
}
