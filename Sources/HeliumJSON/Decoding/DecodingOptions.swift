/// How a decoder reads: its settings, as its documents carry them.
@usableFromInline
struct DecodingOptions: Sendable {
    var limits = JSONLimits()
    var keys = HeliumJSONDecoder.KeyDecodingStrategy.useDefaultKeys
    var dates = HeliumJSONDecoder.DateDecodingStrategy.rfc3339
    var data = HeliumJSONDecoder.DataDecodingStrategy.base64
    var floats = HeliumJSONDecoder.NonConformingFloatDecodingStrategy.throw
    var userInfo: [CodingUserInfoKey: any Sendable] = [:]
}
