public import Foundation

/// The error of ConAir's own checks, and of a partly failed read of a long window.
///
/// A request that fails completely throws `HeliumError`.
public struct ConAirError: Error, Sendable {
    /// The kind of failure: stable, suitable for `switch` and for the label of a metric.
    public let kind: Kind

    /// A sentence to show to people.
    public let message: String

    /// The points of the parts before the failed part; `nil` unless the kind is ``Kind/incomplete``.
    public let received: SeriesReply?

    /// The error of the failed part; `nil` unless the kind is ``Kind/incomplete``.
    public let underlying: (any Error)?

    init(_ kind: Kind, _ message: String, received: SeriesReply? = nil, underlying: (any Error)? = nil) {
        self.kind = kind
        self.message = message
        self.received = received
        self.underlying = underlying
    }
}

extension ConAirError {
    /// A kind of failure. More kinds may be added.
    public struct Kind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name of the kind.
        public let rawValue: String

        /// Creates the kind with a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name of the kind.
        public var description: String { rawValue }
    }
}

extension ConAirError.Kind {
    /// The step is invalid: it is not positive, or finer than the source supports.
    public static let invalidStep = Self(rawValue: "invalidStep")
    /// A window of more than 5,000 steps was read in parts, and one of them failed. ``ConAirError/received`` has the
    /// points of the parts before it.
    public static let incomplete = Self(rawValue: "incomplete")
}

extension ConAirError: CustomStringConvertible, LocalizedError {
    /// The kind and the message: `invalidStep: the step is 0.5 seconds: …`.
    public var description: String { "\(kind): \(message)\(underlying.map { ": \($0)" } ?? "")" }

    /// The text of ``description``.
    public var errorDescription: String? { description }
}
