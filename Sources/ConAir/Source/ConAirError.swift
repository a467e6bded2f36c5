public import Foundation

/// The error of ConAir's own checks, and of a walk over a long window that ended before its end.
///
/// A request that fails as a whole throws `HeliumError`.
public struct ConAirError: Error, Sendable {
    /// The kind of failure: stable, suitable for `switch` and for the label of a metric.
    public let kind: Kind

    /// One sentence for people.
    public let message: String

    /// The points of the parts before the one that failed. Only of the kind ``Kind/incomplete``.
    public let received: SeriesReply?

    /// The error of the part that failed. Only of the kind ``Kind/incomplete``.
    public let underlying: (any Error)?

    init(_ kind: Kind, _ message: String, received: SeriesReply? = nil, underlying: (any Error)? = nil) {
        self.kind = kind
        self.message = message
        self.received = received
        self.underlying = underlying
    }
}

extension ConAirError {
    /// A kind of failure, as a name from a list that may grow.
    public struct Kind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name of the kind.
        public let rawValue: String

        /// The kind with that name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name of the kind.
        public var description: String { rawValue }
    }
}

extension ConAirError.Kind {
    /// The step cannot be asked for: it is not positive, or finer than the source has it.
    public static let invalidStep = Self(rawValue: "invalidStep")
    /// A window of more than 5,000 steps was read in parts, and one of them failed. ``ConAirError/received`` has those
    /// before it.
    public static let incomplete = Self(rawValue: "incomplete")
}

extension ConAirError: CustomStringConvertible, LocalizedError {
    /// `invalidStep: the step is 0.5 seconds: …`.
    public var description: String { "\(kind): \(message)\(underlying.map { ": \($0)" } ?? "")" }

    /// The description.
    public var errorDescription: String? { description }
}
