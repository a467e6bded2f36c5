import Testing

/// The numbers of the behaviours (Docs/Protocols/MessageBeast.md §9) that a test proves, as in `MessageBeastTests`, whose
/// `BehaviourNumbersTests` reads them from the sources.
struct BehaviourTrait: TestTrait {
    let numbers: [Int]
}

extension Trait where Self == BehaviourTrait {
    static func behaviour(_ numbers: Int...) -> Self { Self(numbers: numbers) }
}
