/// The SDK's own JSON encoder.
extension HeliumJSONEncoder: BodyEncoder {
    /// `application/json`.
    public var contentType: String { "application/json" }

    /// What clients use unless told otherwise: members sorted, slashes not escaped. Equal values make equal bodies, which
    /// signatures, caches and tests rely on.
    public static let bodies = {
        var encoder = HeliumJSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()
}
