public import Foundation
public import HeliumCore

/// Why a call of the Cosm API failed.
///
/// ```swift
/// do {
///     try await cosm.createFeed(draft)
/// } catch let error as CosmError where error.kind == .invalid {
///     print(error.messages)  // ["Title can't be blank"]
/// }
/// ```
///
/// Neither the description nor the reflection shows the key.
public struct CosmError: Error, Sendable {
    /// What went wrong: stable, fit for `switch` and for a metric's label.
    public let kind: Kind

    /// One sentence for people.
    public let message: String

    /// The server's own title of the failure (§2.4): `Not found`; `nil` if it gave none.
    public let title: String?

    /// What the server said is wrong, all of it.
    public let messages: [String]

    /// The failed call: request, status, attempts, raw body; `nil` if no single call failed.
    public let underlying: HeliumError?

    /// The delivery state of the requests, for failures whose ``underlying`` error does not have one.
    private let ownDelivery: DeliveryState

    /// With ``Kind/undecodable`` and ``Kind/unencodable``: where and why.
    public let document: CosmDocumentError?

    /// Of many datapoints, how many were stored before the request that failed; that one's may have been, if its answer was
    /// lost. `nil` for any other call.
    public internal(set) var storedCount: Int?

    init(
        _ kind: Kind,
        _ message: String,
        title: String? = nil,
        messages: [String] = [],
        delivery: DeliveryState = .notSent,
        underlying: HeliumError? = nil,
        document: CosmDocumentError? = nil
    ) {
        self.kind = kind
        self.message = message
        self.title = title
        self.messages = messages
        self.underlying = underlying
        self.document = document
        ownDelivery = delivery
    }

    /// The delivery state of the call's requests: whether sending them again can have an effect twice.
    public var delivery: DeliveryState { underlying?.delivery ?? ownDelivery }

    /// The status of the answer, if there was one.
    public var status: Int? { underlying?.status }

    /// The answer's body as it came: for programs, not for logs.
    public var body: Data? { underlying?.body }

    /// Whether another attempt may help, although nothing has changed on this side.
    var isTransient: Bool {
        [.rateLimited, .overloaded, .serverFailed].contains(kind) || underlying?.isTransient ?? false
    }
}

extension CosmError: CustomStringConvertible, CustomDebugStringConvertible, LocalizedError, CustomReflectable {
    /// `notFound: Not found: I'm sorry … [GET https://…, status 404, …]`.
    public var description: String { PeerText.escaped(unescapedDescription) }

    private var unescapedDescription: String {
        let said = ([title].compactMap(\.self) + messages).joined(separator: ": ")
        var text = "\(kind): \(PeerText.shortened(said.isEmpty ? message : said, to: 1024))"
        if let document { text += " (\(document))" }
        if let underlying { text += " [\(underlying.request)\(underlying.status.map { ", status \($0)" } ?? "")]" }
        return text
    }

    /// The description.
    public var debugDescription: String { description }

    /// The description.
    public var errorDescription: String? { description }

    /// Only what the description shows.
    public var customMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "kind": kind, "message": message, "title": title as Any, "messages": messages, "status": status as Any,
        ]
        return Mirror(self, children: children, displayStyle: .struct)
    }
}

extension CosmError {
    /// A kind of failure, as a name from a list that may grow.
    public struct Kind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The kind's name.
        public let rawValue: String

        /// A kind by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The kind's name.
        public var description: String { rawValue }
    }
}

extension CosmError.Kind {
    // MARK: Before anything is sent

    /// The API can't be made so: a base URL without a host, an empty key.
    public static let invalidConfiguration = Self(rawValue: "invalidConfiguration")
    /// No default API was set.
    public static let noDefaultAPI = Self(rawValue: "noDefaultAPI")
    /// A default API was set before.
    public static let defaultAPIAlreadySet = Self(rawValue: "defaultAPIAlreadySet")
    /// The call breaks a rule of the service: its message says which.
    public static let invalidRequest = Self(rawValue: "invalidRequest")
    /// The format holds no such document.
    public static let unencodable = Self(rawValue: "unencodable")

    // MARK: What the server answered

    /// It could not read the request (400).
    public static let badRequest = Self(rawValue: "badRequest")
    /// No key, or an unknown or expired one (401).
    public static let unauthorized = Self(rawValue: "unauthorized")
    /// The key lacks the right (403).
    public static let forbidden = Self(rawValue: "forbidden")
    /// Too many requests: a 403 that says so, or 429. Of a 403 it is but a hint (§2.5).
    public static let rateLimited = Self(rawValue: "rateLimited")
    /// There is no such thing, or this key may not know of it (404).
    public static let notFound = Self(rawValue: "notFound")
    /// That can't be done there (405).
    public static let methodNotAllowed = Self(rawValue: "methodNotAllowed")
    /// The document can't be had in that format (406).
    public static let notAcceptable = Self(rawValue: "notAcceptable")
    /// Understood, but not valid (422): ``CosmError/messages`` say what.
    public static let invalid = Self(rawValue: "invalid")
    /// Overloaded (503).
    public static let overloaded = Self(rawValue: "overloaded")
    /// Any other failure of the server's (5xx).
    public static let serverFailed = Self(rawValue: "serverFailed")

    // MARK: On the way

    /// The answer is no such document.
    public static let undecodable = Self(rawValue: "undecodable")
    /// The answer to a creation says nowhere what was created.
    public static let missingLocation = Self(rawValue: "missingLocation")
    /// The host of the base URL has no address.
    public static let hostNotFound = Self(rawValue: "hostNotFound")
    /// Anything else: ``CosmError/underlying`` tells.
    public static let failed = Self(rawValue: "failed")
}

extension CosmError {
    /// The failure of a call.
    init(_ error: HeliumError, secrets: [String]) {
        self.init(error, said: ErrorDocument(error.body ?? Data()), secrets: secrets)
    }

    /// The failure of a call, and what the server said of it.
    init(_ error: HeliumError, said: ErrorDocument, secrets: [String]) {
        let redactor = Redactor(secrets: secrets)
        let messages = said.messages.prefix(ErrorBody.maximumErrors)
            .map { redactor.redact($0, upTo: ServerError.maximumBytes) }
        let kind: Kind =
            switch (error.kind, error.status) {
            case (.invalidConfiguration, _): .invalidConfiguration
            case (.invalidRequest, _): .invalidRequest
            case (.encodingFailed, _): .unencodable
            case (.hostNotFound, _): .hostNotFound
            case (.unacceptableStatus, 400): .badRequest
            case (.unacceptableStatus, 401): .unauthorized
            case (.unacceptableStatus, 403): RateLimit.isMeant(by: said) ? .rateLimited : .forbidden
            case (.unacceptableStatus, 404): .notFound
            case (.unacceptableStatus, 405): .methodNotAllowed
            case (.unacceptableStatus, 406): .notAcceptable
            case (.unacceptableStatus, 422): .invalid
            case (.unacceptableStatus, 429): .rateLimited
            case (.unacceptableStatus, 503): .overloaded
            case (.unacceptableStatus, let status?) where status >= 500: .serverFailed
            default: .failed
            }
        self.init(
            kind,
            error.message,
            title: said.title.map { redactor.redact($0, upTo: ServerError.maximumBytes) },
            messages: messages,
            underlying: error
        )
    }
}
