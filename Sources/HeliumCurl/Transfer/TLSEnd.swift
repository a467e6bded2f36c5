import CLibcurl

/// The end of a TLS connection, and whether its peer announced it.
///
/// `@unchecked Sendable`: it is not copyable, so its reference has one owner. The referenced object is atomic.
struct TLSEnd: ~Copyable, @unchecked Sendable {
    private let end: OpaquePointer

    /// Creates the observer for the connection of a transfer. Call it within one of the transfer's callbacks. Returns
    /// `nil` without TLS, and if libcurl was not built with OpenSSL 3.
    init?(of easy: UnsafeMutableRawPointer) {
        guard let end = helium_tls_end_retain(easy) else { return nil }
        self.end = end
    }

    deinit { helium_tls_end_release(end) }

    /// Makes the connections that a handle opens record their end.
    static func watch(_ easy: UnsafeMutableRawPointer) { helium_tls_end_watch(easy) }

    /// Whether the peer has closed the connection (close_notify), which means that all its bytes have arrived.
    var isOrderly: Bool { helium_tls_end_is_orderly(end) }
}
