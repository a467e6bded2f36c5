public import Foundation

/// The error of every engine operation that is not a failed request.
///
/// Neither the description nor the reflection contains the text of a message, a token or a coordinate.
public struct MessageBeastError: Error, Hashable, Sendable {
    /// The kind of failure: stable, suitable for `switch` and for the label of a metric.
    public let kind: Kind

    /// A sentence to show to people.
    public let message: String

    /// The work that blocks an operation; `nil` unless the kind is ``Kind/blocked``.
    public let blockingWork: BlockingWork?

    init(_ kind: Kind, _ message: String, blockingWork: BlockingWork? = nil) {
        self.kind = kind
        self.message = message
        self.blockingWork = blockingWork
    }
}

extension MessageBeastError: CustomStringConvertible, LocalizedError {
    /// The kind and the message: `notIndexed: the annotation type net.example.mood is not indexed`.
    public var description: String { "\(kind): \(message)" }

    /// The text of ``description``.
    public var errorDescription: String? { description }
}

extension MessageBeastError {
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

extension MessageBeastError.Kind {
    // MARK: Arguments

    /// An argument is out of range, for example a negative limit.
    public static let invalidArgument = Self(rawValue: "invalidArgument")
    /// A full-text pattern has invalid syntax.
    public static let invalidPattern = Self(rawValue: "invalidPattern")
    /// A look-up requires an index that the configuration does not enable.
    public static let notIndexed = Self(rawValue: "notIndexed")
    /// A message has no text and is not machine-only.
    public static let textMissing = Self(rawValue: "textMissing")
    /// The service of this client's dialect does not support the operation.
    public static let unsupportedByDialect = Self(rawValue: "unsupportedByDialect")
    /// A channel, message, file or place is not stored.
    public static let notFound = Self(rawValue: "notFound")
    /// A message cannot be edited: it was sent, or its request is running.
    public static let notEditable = Self(rawValue: "notEditable")

    // MARK: The service

    /// A response contradicts the protocol. Nothing of it was stored.
    public static let protocolViolation = Self(rawValue: "protocolViolation")
    /// A channel has unsent messages or pending deletions, which must be sent first. ``MessageBeastError/blockingWork``
    /// counts them.
    public static let blocked = Self(rawValue: "blocked")

    // MARK: The engine

    /// The engine was stopped.
    public static let stopped = Self(rawValue: "stopped")
    /// The store was wiped while the operation ran. Nothing was stored after the wipe.
    public static let wiped = Self(rawValue: "wiped")

    /// A wait for the engine reached its timeout.
    public static let timedOut = Self(rawValue: "timedOut")

    // MARK: The file

    /// The file was written by a newer version.
    public static let superseded = Self(rawValue: "superseded")
    /// The file belongs to another account, or to an account of another service.
    public static let otherAccount = Self(rawValue: "otherAccount")
    /// The file is damaged.
    public static let damaged = Self(rawValue: "damaged")
    /// The file is not a database of this engine.
    public static let notADatabase = Self(rawValue: "notADatabase")
    /// The disk is full, or the system does not allow a larger file.
    public static let diskFull = Self(rawValue: "diskFull")
    /// The file or its folder cannot be written.
    public static let readOnly = Self(rawValue: "readOnly")
    /// Another process held a lock on the file for longer than the busy timeout.
    public static let locked = Self(rawValue: "locked")
    /// The file cannot be opened.
    public static let cannotOpen = Self(rawValue: "cannotOpen")
    /// Any other failure of the database.
    public static let databaseFailed = Self(rawValue: "databaseFailed")

    // MARK: Limits

    /// The outbox holds the maximum number of messages.
    public static let queueFull = Self(rawValue: "queueFull")
    /// The files waiting for their upload have the maximum size.
    public static let stagingFull = Self(rawValue: "stagingFull")
}
