/// The limits on the size of responses.
enum AnswerLimits {
    /// The maximum size of the objects of a response in bytes of compact JSON. A page with more has fewer objects than
    /// were requested, and its `more` is `true`. Other responses are errors.
    static let bytes = 4 * 1024 * 1024
}
