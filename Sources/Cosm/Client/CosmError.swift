public import Foundation
public import HeliumCore

/// The error of a failed call of the Cosm API.
///
/// ```swift
/// do {
///     try await cosm.createFeed(draft)
/// } catch let error as CosmError where error.kind == .invalid {
///     print(error.messages)  // ["Title can't be blank"]
/// }
/// ```
///
/// Neither the description nor the reflection shows the key, nor that of a call on a key, which is part of the URL.
public struct CosmError: Error, Sendable {
    /// The kind of the failure. It is stable and suits a `switch` and the label of a metric.
    public let kind: Kind

    /// A sentence that describes the failure.
    public let message: String

    /// The title in the server's error body (Docs/Protocols/Cosm.md §2.4), for example `Not found`; `nil` if there is
    /// none.
    public let title: String?

    /// All error messages in the server's error body.
    public let messages: [String]

    /// The failed call with its request, status, attempts and raw body; `nil` if no single call failed.
    public let underlying: HeliumError?

    /// The delivery state of the requests, for failures whose ``underlying`` error does not have one.
    private let ownDelivery: DeliveryState

    /// The position and reason of a ``Kind/undecodable`` or ``Kind/unencodable`` document.
    public let document: CosmDocumentError?

    /// The number of datapoints that were stored before the request that failed; `nil` for calls other than storing
    /// many datapoints.
    ///
    /// The points of the failed request may have been stored as well, if its response was lost.
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

    /// The delivery state of the requests of the call. It shows whether sending them again can have an effect twice.
    public var delivery: DeliveryState { underlying?.delivery ?? ownDelivery }

    /// The status of the response; `nil` without a response.
    public var status: Int? { underlying?.status }

    /// The raw body of the response. It is meant for programs and may contain data that does not belong in a log.
    public var body: Data? { underlying?.body }

    /// Whether another attempt may succeed without a change by the caller.
    var isTransient: Bool {
        [.rateLimited, .overloaded, .serverFailed].contains(kind) || underlying?.isTransient ?? false
    }
}

extension CosmError: CustomStringConvertible, CustomDebugStringConvertible, LocalizedError, CustomReflectable {
    /// A text such as `notFound: Not found: no such feed [GET https://…, status 404]`.
    public var description: String { PeerText.escaped(unescapedDescription) }

    private var unescapedDescription: String {
        let said = ([title].compactMap(\.self) + messages).joined(separator: ": ")
        var text = "\(kind): \(PeerText.shortened(said.isEmpty ? message : said, to: 1024))"
        if let document { text += " (\(document))" }
        if let underlying { text += " [\(underlying.request)\(underlying.status.map { ", status \($0)" } ?? "")]" }
        return text
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// The same as ``description``.
    public var errorDescription: String? { description }

    /// The members that the description shows.
    public var customMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "kind": kind, "message": message, "title": title as Any, "messages": messages, "status": status as Any,
        ]
        return Mirror(self, children: children, displayStyle: .struct)
    }
}

extension CosmError {
    /// A kind of failure. More kinds may be added.
    public struct Kind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The kind's name.
        public let rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The kind's name.
        public var description: String { rawValue }
    }
}

extension CosmError.Kind {
    // MARK: Before anything is sent

    /// The configuration is invalid, for example a base URL without a host or an empty key.
    public static let invalidConfiguration = Self(rawValue: "invalidConfiguration")
    /// No default API is set.
    public static let noDefaultAPI = Self(rawValue: "noDefaultAPI")
    /// The default API is already set.
    public static let defaultAPIAlreadySet = Self(rawValue: "defaultAPIAlreadySet")
    /// The call breaks a rule of the service. The message names the rule.
    public static let invalidRequest = Self(rawValue: "invalidRequest")
    /// The format cannot hold the document without loss.
    public static let unencodable = Self(rawValue: "unencodable")

    // MARK: Responses

    /// The server could not read the request (400).
    public static let badRequest = Self(rawValue: "badRequest")
    /// The key is missing, unknown or expired (401).
    public static let unauthorized = Self(rawValue: "unauthorized")
    /// The key lacks the permission (403).
    public static let forbidden = Self(rawValue: "forbidden")
    /// Too many requests: 429, or a 403 whose body mentions a rate limit. For a 403 this is a guess
    /// (Docs/Protocols/Cosm.md §2.5).
    public static let rateLimited = Self(rawValue: "rateLimited")
    /// The resource does not exist, or the key may not see it (404).
    public static let notFound = Self(rawValue: "notFound")
    /// The resource does not support the method (405).
    public static let methodNotAllowed = Self(rawValue: "methodNotAllowed")
    /// The server does not offer the document in that format (406).
    public static let notAcceptable = Self(rawValue: "notAcceptable")
    /// The request is well-formed but invalid (422). ``CosmError/messages`` name the reasons.
    public static let invalid = Self(rawValue: "invalid")
    /// The server is overloaded (503).
    public static let overloaded = Self(rawValue: "overloaded")
    /// The server failed with another status of 500 or more.
    public static let serverFailed = Self(rawValue: "serverFailed")

    // MARK: Transfer and decoding

    /// The response body is not the expected document.
    public static let undecodable = Self(rawValue: "undecodable")
    /// The response to a create request has no usable `Location`.
    public static let missingLocation = Self(rawValue: "missingLocation")
    /// The host of the base URL could not be resolved.
    public static let hostNotFound = Self(rawValue: "hostNotFound")
    /// Any other failure. ``CosmError/underlying`` has the details.
    public static let failed = Self(rawValue: "failed")
}

extension CosmError {
    /// Creates the error of a failed call from its response body.
    init(_ error: HeliumError, secrets: [String]) {
        self.init(error, said: ErrorDocument(error.body ?? Data()), secrets: secrets)
    }

    /// Creates the error of a failed call from the server's error document.
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
            redactor.redact(error.message),
            title: said.title.map { redactor.redact($0, upTo: ServerError.maximumBytes) },
            messages: messages,
            underlying: error.hidingKeys(redactor)
        )
    }
}

extension HeliumError {
    /// Returns the error without keys in its URL, its message, the server's texts, and the errors that caused it.
    func hidingKeys(_ redactor: Redactor) -> HeliumError {
        var error = self
        error[fact: \.request] = RequestSummary(
            method: request.method,
            url: redactor.redact(KeyURL.masked(request.url))
        )
        error[fact: \.message] = redactor.redact(message)
        error[fact: \.bodyExcerpt] = bodyExcerpt.map(redactor.redact)
        error[fact: \.serverErrors] = serverErrors.map { $0.redacted(by: redactor) }
        error[fact: \.errorBody] = errorBody?.redacted(by: redactor)
        if let cause = underlying as? HeliumError { error[fact: \.underlying] = cause.hidingKeys(redactor) }
        return error
    }
}
