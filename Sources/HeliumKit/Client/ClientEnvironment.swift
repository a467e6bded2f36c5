public import HeliumCore

/// What a client takes from its surroundings: injectable, so that tests decide about time, chance and the network.
public struct ClientEnvironment: Sendable {
    /// The transport; `nil` makes the client's own, on libcurl. Closing the client shuts down either.
    public var transport: (any HTTPTransport)?

    /// The clock. Default: the machine's.
    public var clock: any HeliumClock

    /// Random numbers, for the jitter of pauses. Default: the system's.
    public var random: RandomSource

    /// The surroundings: what is not given is the machine's own.
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
