/// How an encoder writes: its settings.
struct EncodingOptions: Sendable {
    var formatting: HeliumJSONEncoder.OutputFormatting = []
    var keys = HeliumJSONEncoder.KeyEncodingStrategy.useDefaultKeys
    var dates = HeliumJSONEncoder.DateEncodingStrategy.rfc3339
    var data = HeliumJSONEncoder.DataEncodingStrategy.base64
    var floats = HeliumJSONEncoder.NonConformingFloatEncodingStrategy.throw
    var userInfo: [CodingUserInfoKey: any Sendable] = [:]
}
