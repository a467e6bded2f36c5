import Foundation
import TestSupport
import Testing

@testable import JetstreamCore

@Suite("Nodes by their identifiers")
struct NodeTableTests {
    @Test("nodes are found while others come and go", arguments: 0..<20)
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
