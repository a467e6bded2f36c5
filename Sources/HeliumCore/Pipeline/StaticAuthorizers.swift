public import HTTPTypes

/// An authorizer that sends requests unchanged.
public struct NoAuthorizer: Authorizer {
    package init() {}

    /// Does nothing.
    public func authorizeImmediately(_ request: inout TransportRequest) throws -> Bool { true }

    /// Does nothing.
    public func authorize(_ request: inout TransportRequest, context: AuthorizationContext) async throws {}
}

/// An authorizer that adds one field with a fixed credential: a bearer token (RFC 6750) or an API key.
public struct FieldAuthorizer: Authorizer {
    private let field: HTTPField
    private let secret: Secret

    /// Creates an authorizer that sends `secret` after `prefix` in the field `name`. It replaces a field of that name
    /// in the request.
    ///
    /// - Throws: ``FailureKind/invalidConfiguration`` if the credential is empty or contains characters that are not
    ///   allowed in a field. A server would reject it.
    public init(name: HTTPField.Name, prefix: String = "", secret: Secret) throws(HeliumError) {
        let value = prefix + secret.value
        guard !secret.value.isEmpty, value.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
            throw HeliumError(configuration: "the credential for \(name.rawName) is empty or not printable ASCII")
        }
        field = HTTPField(name: name, value: value)
        self.secret = secret
    }

    /// Adds the field.
    public func authorizeImmediately(_ request: inout TransportRequest) throws -> Bool {
        request.fields.set(field)
        return true
    }

    /// Adds the field.
    public func authorize(_ request: inout TransportRequest, context: AuthorizationContext) async throws {
        _ = try authorizeImmediately(&request)
    }

    /// The credential, which is masked in errors.
    public var secrets: [String] { [secret.value] }
}

extension FieldAuthorizer: CustomStringConvertible, CustomReflectable {
    /// The field's name.
    public var description: String { "FieldAuthorizer(\(field.name.rawName))" }
    /// The field's name.
    public var customMirror: Mirror { Mirror(self, children: ["name": field.name.rawName]) }
}
