/// One operation's cost, as this executable prints it.
struct SigningResult: Encodable {
    /// Which operation, by which library.
    var operation: String
    /// The length of its input in bytes.
    var bytes: Int
    /// Nanoseconds per operation, one value for each round, in the rounds' order.
    var rounds: [Double]
}
