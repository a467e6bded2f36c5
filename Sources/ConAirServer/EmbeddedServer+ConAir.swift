public import Foundation
public import HeliumServerKit

extension EmbeddedServerConfiguration {
    /// The configuration of ConAir, a time series.
    public var conAir: ConAirConfiguration {
        get { self[ConAirService.self] }
        set { self[ConAirService.self] = newValue }
    }
}

extension EmbeddedServer {
    /// Reads and changes the time series of ConAir.
    public var conAir: ConAirControl { self[ConAirService.self].control }
}

extension ReadyInformation {
    /// The URL of ConAir, a time series.
    public var conAir: ConAir {
        get { self[ConAirService.self] }
        set { self[ConAirService.self] = newValue }
    }

    /// The URL of the time series, encoded as a string in the ready line.
    public struct ConAir: Hashable, Sendable {
        /// The URL for fetching and sending readings: `…/data/`.
        public var data: URL
    }
}

extension ReadyInformation.ConAir: ReadyMember {
    /// Decodes the URL from a string.
    public init(from decoder: any Decoder) throws { data = try decoder.singleValueContainer().decode(URL.self) }

    /// Encodes the URL as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(data)
    }

    /// A description with the URL.
    public var description: String { "ConAir at \(data.absoluteString)" }

    /// A mirror with all properties. None of them is secret.
    public var customMirror: Mirror { Mirror(self, children: ["data": data]) }
}
