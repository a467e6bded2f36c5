/// The reason why a sample failed.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Fails unless both are equal, and tells both.
func expect<Value: Equatable>(_ actual: Value, equals expected: Value, _ what: String) throws {
    if actual != expected { throw Failure("\(what): expected \(expected), got \(actual)") }
}

/// Fails unless `condition` holds.
func expect(_ condition: Bool, _ what: String) throws {
    if !condition { throw Failure(what) }
}
