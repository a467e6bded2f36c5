/// The settings of a decoder, which its documents carry.
@usableFromInline
struct DecodingOptions: Sendable {
    var limits = JSONLimits()
    var keys = HeliumJSONDecoder.KeyDecodingStrategy.useDefaultKeys {
        didSet { traits = TypeTraitTable() }
    }
    var dates = HeliumJSONDecoder.DateDecodingStrategy.rfc3339
    var data = HeliumJSONDecoder.DataDecodingStrategy.base64
    var floats = HeliumJSONDecoder.NonConformingFloatDecodingStrategy.throw
    var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// The known traits of types under this key strategy.
    private(set) var traits = TypeTraitTable<TypeTrait>()
}
