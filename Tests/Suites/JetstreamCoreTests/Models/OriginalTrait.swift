import Testing

/// The name of the original's test that proves the same behaviour (Docs/Protocols/Jetstream.md §6).
struct OriginalTrait: TestTrait {
    let name: String
}

extension Trait where Self == OriginalTrait {
    static func original(_ name: String) -> Self { Self(name: name) }
}

/// Counts calls.
final class Counter {
    private(set) var count = 0
    func add() { count += 1 }
}
