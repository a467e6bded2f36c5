/// One operation's cost, as an executable that compares operations prints it.
public struct OperationResult: Sendable {
    /// What it was done to; only operations of one group are compared.
    public var group: String
    /// Which operation, by which library.
    public var operation: String
    /// The length of its input in bytes.
    public var bytes: Int
    /// Nanoseconds per operation, one value for each round, in the rounds' order.
    public var rounds: [Double]
}

extension [OperationResult] {
    /// A JSON array, for the scripts. The harness does without Foundation; names of ours need no escapes.
    public var json: String {
        let objects = map { result in
            let rounds = result.rounds.map { "\($0)" }.joined(separator: ",")
            return #"{"group":"\#(result.group)","operation":"\#(result.operation)","bytes":\#(result.bytes),"#
                + #""rounds":[\#(rounds)]}"#
        }
        return "[\(objects.joined(separator: ",\n"))]"
    }
}
