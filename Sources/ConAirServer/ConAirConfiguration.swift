public import HeliumServerKit

/// The configuration of ConAir's time series in an embedded server.
public struct ConAirConfiguration: Sendable {
    /// The clock for the sensor and for the `Date` field of responses. Default: the system clock.
    public var clock = ServerClock.system
    /// The simulated sensor, whose readings need not be stored; `nil` for no sensor. Default: a sensor with seed 0.
    public var sensor: ConAirSensor? = ConAirSensor()
    /// The maximum number of stored readings. A further reading removes the earliest one. Default: 200,000.
    public var maximumReadings = 200_000

    /// Creates the default configuration.
    public init() {}
}

extension ConAirConfiguration: ServerProtocolConfiguration {
    package func validate(limits: ServerLimits) throws(EmbeddedServerError) {
        try ConfigurationCheck.requirePositive([("maximumReadings", maximumReadings)])
    }
}
