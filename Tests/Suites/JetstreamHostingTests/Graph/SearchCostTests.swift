import Foundation
import HeliumJSON
import Testing

@testable import JetstreamHosting

/// A small message can move a large subtree whose objects refer back, so that each has many parents.
@Suite("The cost of moving large subtrees")
struct SearchCostTests {
    private static let count = 12_000
    private static let ids = (0..<count + 3).map { number in
        ObjectID(high: 0x4000, low: 0x8000_0000_0000_0000 + UInt64(number)).text
    }
    private static let file = """
        {"classes":{"Node":{"properties":{"a":"Node","b":"Node","nodes":["Node"]}}},"scopes":{"Board":{"root":"Node",\
        "initial":{"$uuid":"\(ids[0])","nodes":[{"$uuid":"\(ids[1])"}]}}}}
        """
    private static let (root, other, top) = (ids[0], ids[1], ids[2])

    private static func change(_ id: String, _ properties: String) -> String {
        #"{"type":"change","uuid":"\#(id)","clsName":"Node","properties":{\#(properties)}}"#
    }

    /// An engine with an object below the root to which 12,000 objects refer that hang on it.
    private func engine() throws -> TestEngine {
        var rig = try TestEngine(try ScopeFile(parsing: Data(Self.file.utf8)))
        rig.join(1)
        let adds = Self.ids.dropFirst(3).map { id in
            #"{"type":"add","uuid":"\#(id)","clsName":"Node","properties":{"a":"\#(Self.top)"}}"#
        }
        let below = Self.ids.dropFirst(3).map { #""\#($0)""# }.joined(separator: ",")
        let add =
            #"{"type":"add","uuid":"\#(Self.top)","clsName":"Node","properties":{"nodes":[\#(below)]}}"#
        let fragments = adds + [add, Self.change(Self.root, #""a":"\#(Self.top)""#)]
        let replies = rig.sync(1, index: 2, "[\(fragments.joined(separator: ","))]")
        #expect(replies.count == Self.count + 2 && replies.allSatisfy { $0 == [:] })
        #expect(rig.engine.objectCount(in: "Board") == Self.count + 3)
        return rig
    }

    @Test("a new link of a large subtree is found without a search")
    func moves() throws {
        var rig = try engine()
        let moves = [
            Self.change(Self.root, #""a":null,"b":"\#(Self.top)""#),
            Self.change(Self.root, #""b":null,"a":"\#(Self.top)""#),
            "\(Self.change(Self.root, #""a":null"#)),\(Self.change(Self.other, #""a":"\#(Self.top)""#))",
        ]
        for (index, move) in moves.enumerated() {
            let before = rig.received[1] ?? 0
            #expect(rig.sync(1, index: 3 + index, "[\(move)]").allSatisfy { $0 == [:] })
            // It does not wait, and owes nothing.
            #expect(rig.received[1] == before + 1 && rig.engine.sessions.values.map(\.searchSteps) == [0])
        }
        #expect(rig.engine.objectCount(in: "Board") == Self.count + 3)
    }

    @Test("a client whose changes need long searches waits before its next frame is read")
    func waits() throws {
        var rig = try engine()
        rig.sync(1, index: 3, "[\(Self.change(Self.other, #""a":"\#(Self.top)""#))]")
        let before = rig.received[1] ?? 0
        // The link by which it was reached is cut. Another one exists, among those of 12,000 parents.
        rig.sync(1, index: 4, "[\(Self.change(Self.root, #""a":null"#))]")
        #expect(rig.engine.objectCount(in: "Board") == Self.count + 3)
        #expect(rig.received[1] == before)
        rig.advance(0.024)
        #expect(rig.received[1] == before)
        rig.advance(0.002)
        #expect(rig.received[1] == before + 1)
        rig.sync(1, index: 5, "[\(Self.change(Self.other, #""a":null"#))]")
        #expect(rig.engine.objectCount(in: "Board") == 2)
        #expect(rig.received[1] == before + 2)
    }
}
