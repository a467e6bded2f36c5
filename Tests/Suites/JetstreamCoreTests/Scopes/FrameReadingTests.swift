import Foundation
import HeliumJSON
import TestSupport
import Testing

@testable import JetstreamCore

@Suite("Objects read from frames")
struct FrameReadingTests {
    @Test("a frame makes the same tree as its values", .tags(.random), arguments: ProofLength.seeds(10))
    func sameAsValues(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let (read, set) = (Receiver(), Receiver())
        // The first is a state; the others meet a tree.
        for isState in [true, false, false] {
            let fragments = Self.fragments(&random, isState: isState)
            let message = JetstreamMessage.ScopeState(
                index: 1,
                scopeIndex: 0,
                rootUUID: Receiver.rootID,
                fragments: fragments
            )
            let frame = JetstreamCodec().text(of: .scopeState(message))
            guard case .scopeState(let parsed)? = try JetstreamCodec().messages(in: frame).first else {
                throw NoState()
            }
            #expect(parsed.fragments == fragments)
            if isState {
                read.receive(state: parsed.fragments)
                set.receive(state: fragments)
            } else {
                read.receive(sync: parsed.fragments)
                set.receive(sync: fragments)
            }
            #expect(Self.text(read.scope) == Self.text(set.scope))
            #expect(read.scope.count == set.scope.count)
        }
    }

    @Test("unknown members of an object are kept, and the order of members may change")
    func unknownMembers() throws {
        let receiver = Receiver()
        let one = #""uuid":"00000000-0000-4000-8000-000000000002","clsName":"TestModel""#
        let two = #""uuid":"00000000-0000-4000-8000-000000000003","clsName":"TestModel""#
        let frame = """
            {"type":"ScopeSync","index":1,"scopeIndex":0,"fragments":[
            {"type":"add",\(one),"properties":{"later":[1],"string":"a","integer":1,"string":"b"}},
            {"type":"add",\(two),"properties":{"integer":2,"str\\u0069ng":"c","doubled":4,"int8":1000}},
            {"type":"change","uuid":"\(Receiver.rootID.wireText)","clsName":"TestModel",
            "properties":{"children":["00000000-0000-4000-8000-000000000003","00000000-0000-4000-8000-000000000002"]}}]}
            """
        receiver.receive(state: [Receiver.change(1, [:])])
        guard case .scopeSync(let sync)? = try JetstreamCodec().messages(in: frame).first else { throw NoState() }
        receiver.receive(sync: sync.fragments)
        let children = receiver.root.children
        #expect(children.map(\.string) == ["c", "a"] && children.map(\.integer) == [2, 1])
        #expect(children.map { $0.modelNode.extras?.unknownMembers["later"] } == [nil, [1]])
        #expect(receiver.scope.object(id: Receiver.id(3)) === children.first)
    }

    // MARK: Random fragments

    private struct NoState: Error {}

    private static func text(_ scope: Scope) -> String {
        let state = JetstreamMessage.ScopeState(
            index: 1,
            scopeIndex: 0,
            rootUUID: scope.root?.uuid ?? Receiver.rootID,
            fragments: scope.stateFragments
        )
        return JetstreamCodec().text(of: .scopeState(state))
    }

    private static func fragments(_ random: inout SeededRandom, isState: Bool) -> [SyncFragment] {
        var fragments = isState ? [Receiver.change(1, properties(&random))] : []
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            let number = Int.random(in: 1...9, using: &random)
            let name = ["TestModel", "TestModel", "AnotherTestModel", "Unknown"].randomElement(using: &random) ?? ""
            let isAdd = Int.random(in: 0..<4, using: &random) > 0
            let properties = properties(&random)
            fragments.append(
                isAdd ? Receiver.add(number, properties, name) : Receiver.change(number, properties, name)
            )
        }
        return fragments
    }

    private static func properties(_ random: inout SeededRandom) -> JSONObject {
        let names = TestModel.modelSchema.properties.map(\.name) + ["unknown", "", "anotherString"]
        return JSONObject(
            (0..<Int.random(in: 0...12, using: &random)).map { _ in
                (names.randomElement(using: &random) ?? "", value(&random))
            }
        )
    }

    private static func value(_ random: inout SeededRandom) -> JSONValue {
        func reference() -> JSONValue { Receiver.text(Int.random(in: 1...10, using: &random)) }
        switch Int.random(in: 0..<14, using: &random) {
        case 0: return .null
        case 1: return .bool(.random(using: &random))
        case 2:
            return ["", "text", "a \" \\ é 😀", "2024-02-29T12:00:00Z", "AAEC"].randomElement(using: &random) ?? .null
        case 3: return .array([])
        case 4: return .object([:])
        case 5: return .array((0..<3).map { .number(JSONNumber($0)) })
        case 6: return .array(["a", "b"])
        case 7: return [0, 1, -1, 300, 70_000].randomElement(using: &random) ?? .null
        case 8:
            let texts = ["-0", "1e2", "1.5", "1e400", "123456789012345678901234567890", "9007199254740993", "0.1"]
            return JSONNumber(texts.randomElement(using: &random) ?? "0").map { .number($0) } ?? .null
        case 9, 10: return reference()
        default: return .array((0..<Int.random(in: 1...4, using: &random)).map { _ in reference() })
        }
    }
}
