/// The settings of an encoder.
struct EncodingOptions: Sendable {
    var formatting: HeliumJSONEncoder.OutputFormatting = []
    var keys = HeliumJSONEncoder.KeyEncodingStrategy.useDefaultKeys {
        didSet { traits = TypeTraitTable() }
    }
    var dates = HeliumJSONEncoder.DateEncodingStrategy.rfc3339
    var data = HeliumJSONEncoder.DataEncodingStrategy.base64
    var floats = HeliumJSONEncoder.NonConformingFloatEncodingStrategy.throw
    var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// The known traits of types under this key strategy.
    private(set) var traits = TypeTraitTable<EncodingTrait>()
}
