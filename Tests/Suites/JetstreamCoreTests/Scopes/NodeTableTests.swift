import Foundation
import TestSupport
import Testing

@testable import JetstreamCore

@Suite("Nodes by their identifiers")
struct NodeTableTests {
    @Test(
        "nodes are found by their identifiers while others are added and removed",
        .tags(.random),
        arguments: ProofLength.seeds(3)
    )
    func finds(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var table = NodeTable()
        var known: [ModelID: ModelNode] = [:]
        for _ in 0..<2_000 {
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1:
                let node = ModelNode()
                node.identify(UUID())
                table.append(node)
                known[node.uuid] = node
            case 2:
                guard let node = known.values.randomElement(using: &random) else { continue }
                let (removed, again) = (table.remove(node), table.remove(node))
                #expect(removed === node && again == nil)
                known[node.uuid] = nil
            default:
                guard let id = known.keys.randomElement(using: &random) else { continue }
                let (found, other) = (table.node(id) { $0.identify() }, table.node(UUID()) { $0.identify() })
                #expect(found === known[id] && other == nil)
            }
        }
        #expect(table.nodes.count == known.count)
        for (id, node) in known {
            let found = table.node(id) { $0.identify() }
            #expect(found === node)
        }
    }

    @Test("looking up objects does not change what is recorded", .tags(.random), arguments: ProofLength.seeds(4))
    func lookingUpIsNotSeen(seed: UInt64) {
        func recorded(looksUp: Bool) -> [[SyncFragment]] {
            var random = SeededRandom(seed: seed)
            let root = TestModel(uuid: Self.id(0))
            let scope = Scope(name: "test", root: root)
            var objects = [root]
            return (1...60).map { number in
                let object = TestModel(uuid: Self.id(number))
                let parent = objects.randomElement(using: &random) ?? root
                switch Int.random(in: 0..<4, using: &random) {
                case 0: parent.children = []
                case 1: parent.childModel = objects.randomElement(using: &random)
                default: parent.children.append(object)
                }
                objects.append(object)
                if looksUp { _ = scope.object(id: Self.id(number / 2)) }
                return scope.getAndClearSyncFragments() + scope.stateFragments
            }
        }
        #expect(recorded(looksUp: true) == recorded(looksUp: false))
    }

    @Test("an identifier stays what it was when it was first read, before and after a look-up")
    func identifiersStay() {
        let root = TestModel()
        let scope = Scope(name: "test", root: root)
        root.children = (0..<40).map { _ in TestModel() }
        let early = root.children[7].uuid
        let found = scope.object(id: early)
        let later = root.children.map(\.uuid)
        #expect(found === root.children[7] && later[7] == early)
        #expect(later.allSatisfy { scope.object(id: $0)?.uuid == $0 } && root.children.map(\.uuid) == later)
    }

    private static func id(_ number: Int) -> ModelID {
        ModelID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(number)))
    }

    @Test("nodes get their identifiers when one is looked up")
    func identifies() {
        var table = NodeTable()
        let nodes = (0..<40).map { _ in ModelNode() }
        for node in nodes { table.append(node) }
        #expect(nodes.allSatisfy { !$0.flags.contains(.isIdentified) })
        let id = nodes[39].uuid
        let found = table.node(id) { $0.identify() }
        #expect(found === nodes[39])
        #expect(Set(nodes.map(\.uuid)).count == 40)
    }
}
