public import HeliumServerKit

/// How the embedded server's time series of ConAir behaves.
public struct ConAirConfiguration: Sendable {
    /// The time of day: the sensor's, and that of `Date` in its responses. Default: the machine's.
    public var clock = ServerClock.system
    /// The sensor whose readings are there without anybody storing them; `nil` for none. Default: one with seed 0.
    public var sensor: ConAirSensor? = ConAirSensor()
    /// How many stored readings are kept; one more removes the one of the earliest time. Default: 200,000.
    public var maximumReadings = 200_000

    /// The defaults named at each property.
    public init() {}
}

extension ConAirConfiguration: ServerProtocolConfiguration {
    package func validate(limits: ServerLimits) throws(EmbeddedServerError) {
        try ConfigurationCheck.requirePositive([("maximumReadings", maximumReadings)])
    }
}
