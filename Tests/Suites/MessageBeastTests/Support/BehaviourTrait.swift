import Testing

/// The numbers of the behaviours (Docs/Protocols/MessageBeast.md §9) that a test proves.
struct BehaviourTrait: TestTrait {
    let numbers: [Int]
}

extension Trait where Self == BehaviourTrait {
    static func behaviour(_ numbers: Int...) -> Self { Self(numbers: numbers) }
}
