import BenchmarkHarness
import Foundation
import HeliumJSON
import JetstreamCore
import MemoryCount

/// Compares the cost of creating trees of one size, of reading them from a state and of writing them with that of plain
/// objects and JSON values.
struct TreeComparison {
    let count: Int
    private let model: Node
    let scope: Scope
    let state: Data

    init(count: Int) throws {
        self.count = count
        model = Trees.models(count)
        var number = 0.0
        scope = Trees.scope(model)
        for case let node as Node in scope.allObjects {
            number += 1
            (node.x, node.y, node.width, node.height) = (number / 8, number, 16, 9)
            node.name = "Node \(Int(number))"
        }
        guard scope.count == count else { throw WrongTree(count: scope.count) }
        state = Self.text(of: scope)
    }

    func run(rounds: Int) throws -> [OperationResult] {
        let parsed = try JSONValue(parsing: state)
        guard try tree().count == count, Self.text(of: try tree()) == state else { throw WrongTree(count: count) }
        // An add for each object, and the change of the root.
        guard Trees.recorded(Trees.models(count)).count == count + 1 else { throw WrongTree(count: count) }
        var alternation = Alternation([
            ("plain objects", { repeating($0) { _ = Trees.plain(count) } }),
            ("objects in a scope", { repeating($0) { attach() } }),
            ("objects to a recording root", { repeating($0) { record() } }),
            ("a state to JSONValue", { try repeating($0) { _ = try JSONValue(parsing: state) } }),
            ("a state to a tree", { try repeating($0) { try read() } }),
            ("JSONValue to text", { repeating($0) { _ = parsed.text() } }),
            ("a tree to text", { repeating($0) { write() } }),
        ])
        return try alternation.run(group: "jetstream-\(count)", bytes: state.count, rounds: rounds)
    }

    // MARK: What is measured

    func attach() { _ = Trees.scope(Trees.models(count)) }
    func record() { _ = Trees.recorded(Trees.models(count)) }
    func read() throws { _ = try tree() }
    func write() { _ = Self.text(of: scope) }

    /// The memory of an object in a scope, in bytes.
    func memory(rounds: Int) -> OperationResult {
        let values = (0..<rounds).map { _ in
            let before = allocated_bytes()
            let scope = Trees.scope(Trees.models(count))
            let after = allocated_bytes()
            return withExtendedLifetime(scope) { Double(after - before) / Double(count) }
        }
        return OperationResult(
            group: "jetstream-memory",
            operation: "an object in a scope",
            bytes: 0,
            rounds: values,
            unit: "bytes"
        )
    }

    /// A new tree from the state.
    func tree() throws -> Scope {
        let messages = try JetstreamCodec(maximumFrameBytes: 256 << 20).messages(in: state)
        guard case .scopeState(let message)? = messages.first else { throw WrongTree(count: 0) }
        let scope = Trees.scope(Node(uuid: message.rootUUID))
        scope.applySyncFragments(message.fragments, applyDefaults: true)
        return scope
    }

    static func text(of scope: Scope) -> Data {
        guard let root = scope.root else { return Data() }
        let state = JetstreamMessage.ScopeState(
            index: 1,
            scopeIndex: 0,
            rootUUID: root.uuid,
            fragments: scope.stateFragments
        )
        return Data(JetstreamCodec().text(of: .scopeState(state)).utf8)
    }
}

/// Runs `body` so many times.
func repeating(_ count: Int, _ body: () throws -> Void) rethrows -> UInt64 {
    for _ in 0..<count { try body() }
    return UInt64(count)
}

/// A tree is not the one that was to be made.
struct WrongTree: Error {
    var count: Int
}
