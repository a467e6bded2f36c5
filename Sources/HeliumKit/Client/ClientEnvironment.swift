public import HeliumCore

/// The transport, clock and random numbers of a client, which tests can replace.
public struct ClientEnvironment: Sendable {
    /// The transport; `nil` creates the client's own, on libcurl. Closing the client shuts down either one.
    public var transport: (any HTTPTransport)?

    /// The clock. Default: the machine's.
    public var clock: any HeliumClock

    /// The random numbers for the jitter of delays. Default: the system's.
    public var random: RandomSource

    /// Creates an environment. Omitted arguments have the machine's own clock, random numbers and transport.
    ///
    /// ```swift
    /// let clock = TestClock()
    /// let environment = ClientEnvironment(transport: MockTransport(answers: [.empty()]), clock: clock)
    /// ```
    public init(
        transport: (any HTTPTransport)? = nil,
        clock: any HeliumClock = SystemClock(),
        random: RandomSource = .system
    ) {
        self.transport = transport
        self.clock = clock
        self.random = random
    }
}
