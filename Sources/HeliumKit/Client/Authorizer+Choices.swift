internal import HTTPTypes
public import HeliumCore

extension Authorizer where Self == NoAuthorizer {
    /// Requests go out as they are.
    public static var none: NoAuthorizer { NoAuthorizer() }
}

extension Authorizer where Self == FieldAuthorizer {
    /// `Authorization: Bearer TOKEN` (RFC 6750).
    ///
    /// - Throws: `invalidConfiguration` if the token can't stand in a field.
    public static func bearer(_ token: String) throws(HeliumError) -> FieldAuthorizer {
        try FieldAuthorizer(name: .authorization, prefix: "Bearer ", secret: Secret(token))
    }

    /// An API key in a field.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - header: The field's name. Default: `X-API-Key`.
    /// - Throws: `invalidConfiguration` if the name is none, or the key can't stand in a field.
    public static func apiKey(_ key: String, header: String = "X-API-Key") throws(HeliumError) -> FieldAuthorizer {
        guard let name = HTTPField.Name(header), !header.hasPrefix(":") else {
            throw HeliumError(configuration: "\"\(header)\" is no field name")
        }
        return try FieldAuthorizer(name: name, secret: Secret(key))
    }
}
