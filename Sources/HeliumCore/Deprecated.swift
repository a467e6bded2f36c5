public import HTTPTypes
public import HeliumEssentials

// Former forms of public API. Each forwards to its replacement.

extension TransportRequest {
    /// The former form of `curlCommand(showingSecrets:secrets:)`, with the secrets as `String`s.
    @available(*, deprecated, message: "pass Secrets: curlCommand(secrets: texts.map { Secret($0) })")
    @_disfavoredOverload
    public func curlCommand(showingSecrets: Bool = false, secrets: [String]) -> String {
        curlCommand(showingSecrets: showingSecrets, secrets: secrets.map { Secret($0) })
    }
}

extension RequestBuilder {
    /// The former name of ``fields(_:)``.
    @available(*, deprecated, renamed: "fields(_:)")
    public func headers(_ fields: [String: String?]) -> Self { self.fields(fields) }

    /// The former name of ``field(_:_:)``.
    @available(*, deprecated, renamed: "field(_:_:)")
    public func header(_ name: HTTPField.Name, _ value: String?) -> Self { field(name, value) }
}

extension RequestContent {
    /// The former form of ``json(bytes:)``.
    @available(*, deprecated, renamed: "json(bytes:)")
    public static func json(_ data: Data) -> Self { json(bytes: data) }

    /// The former name of ``json(encoding:)``.
    @available(*, deprecated, renamed: "json(encoding:)")
    public static func encoded(_ value: some Encodable & Sendable) -> Self { json(encoding: value) }
}

/// The former name of ``AuthorizedResponse``.
@available(*, deprecated, renamed: "AuthorizedResponse")
public typealias AuthorizedAnswer = AuthorizedResponse
