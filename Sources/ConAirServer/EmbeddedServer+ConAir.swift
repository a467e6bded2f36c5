public import Foundation
public import HeliumServerKit

extension EmbeddedServerConfiguration {
    /// ConAir: a time series.
    public var conAir: ConAirConfiguration {
        get { self[ConAirService.self] }
        set { self[ConAirService.self] = newValue }
    }
}

extension EmbeddedServer {
    /// Looks into the time series of ConAir and changes it.
    public var conAir: ConAirControl { self[ConAirService.self].control }
}

extension ReadyInformation {
    /// ConAir: a time series.
    public var conAir: ConAir {
        get { self[ConAirService.self] }
        set { self[ConAirService.self] = newValue }
    }

    /// The URL of the time series. In the ready line it is a string.
    public struct ConAir: Hashable, Sendable {
        /// The URL that readings are fetched from and sent to: `…/data/`.
        public var data: URL
    }
}

extension ReadyInformation.ConAir: ReadyMember {
    /// Decodes the string.
    public init(from decoder: any Decoder) throws { data = try decoder.singleValueContainer().decode(URL.self) }

    /// Encodes the string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(data)
    }

    /// The URL.
    public var description: String { "ConAir at \(data.absoluteString)" }

    /// Shows all: there is no secret.
    public var customMirror: Mirror { Mirror(self, children: ["data": data]) }
}
