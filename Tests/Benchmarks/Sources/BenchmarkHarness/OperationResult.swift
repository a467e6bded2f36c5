/// One operation's cost, as an executable that compares operations prints it.
public struct OperationResult: Sendable {
    /// The name of the operation's input. Only operations of one group are compared.
    public var group: String
    /// The name of the operation and its library.
    public var operation: String
    /// The length of its input in bytes.
    public var bytes: Int
    /// The cost, one value for each round, in the order of the rounds.
    public var rounds: [Double]
    /// The unit of the values: `nanoseconds` of CPU time per operation, or `bytes` of memory.
    public var unit: String

    /// One operation's cost.
    public init(group: String, operation: String, bytes: Int, rounds: [Double], unit: String = "nanoseconds") {
        self.group = group
        self.operation = operation
        self.bytes = bytes
        self.rounds = rounds
        self.unit = unit
    }
}

extension [OperationResult] {
    /// A JSON array, for the scripts. The harness does without Foundation; names of ours need no escapes.
    public var json: String {
        let objects = map { result in
            let rounds = result.rounds.map { "\($0)" }.joined(separator: ",")
            return #"{"group":"\#(result.group)","operation":"\#(result.operation)","bytes":\#(result.bytes),"#
                + #""unit":"\#(result.unit)","rounds":[\#(rounds)]}"#
        }
        return "[\(objects.joined(separator: ",\n"))]"
    }
}
