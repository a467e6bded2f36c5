/// The times of a transport's connections, in nanoseconds. Tests shorten them.
package struct ConnectionTimes: Hashable, Sendable {
    /// The time after which an idle connection is closed.
    package var idle: UInt64 = 90_000_000_000

    /// The time limit of the response 100, after which a body is sent without it (RFC 9110 §10.1.1).
    package var continueWait: UInt64 = 1_000_000_000

    /// The silence after which a peer has to answer a PING before it gets another request over HTTP/2. Routers forget
    /// connections without traffic, and then the request would only time out.
    package var silence: UInt64 = 10_000_000_000

    /// The time in which a peer has to answer that PING.
    package var pong: UInt64 = 3_000_000_000

    package init() {}
}
