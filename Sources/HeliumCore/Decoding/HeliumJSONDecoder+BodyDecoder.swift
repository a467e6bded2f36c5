/// The SDK's own JSON decoder, which clients use unless told otherwise.
extension HeliumJSONDecoder: BodyDecoder {
    /// `application/json`.
    public var mediaType: String { "application/json" }
}
