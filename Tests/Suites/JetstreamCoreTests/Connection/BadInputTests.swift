import Foundation
import HeliumCore
import HeliumJSON
import Testing

@testable import JetstreamCore

@Suite("Invalid frames of a Jetstream server", .timeLimit(.minutes(5)))
struct BadInputTests {
    private static let root = MachineRig.root.wireText

    private static func names(_ rig: inout MachineRig) -> [String] {
        rig.takeDeliveries().compactMap { _, delivery in
            guard case .sync(let fragments) = delivery else { return nil }
            return fragments.first?.properties["name"]?.stringValue
        }
    }

    private static func sync(_ fragments: String, index: String = "3", scopeIndex: String = "0") -> String {
        #"{"type":"ScopeSync","index":\#(index),"scopeIndex":\#(scopeIndex),"fragments":\#(fragments)}"#
    }

    @Test(
        "a frame without a usable index is ignored, and the next one is no gap",
        arguments: [
            "", "x", "[]", "{}", "1", #""text""#, "null", "[[]]", "[null]", "\u{FEFF}{}", #"{"type":"Ping","index":0}"#,
            #"{"type":"Ping","index":0,"ack":-1}"#, #"{"type":"Ping","index":0,"ack":9007199254740992}"#,
            #"{"type":"Ping","index":0,"ack":9007199254740991}"#, #"{"type":"Ping","index":0,"ack":3}"#,
            #"{"type":"Ping","index":0,"ack":3,"resendMissing":true}"#, #"{"type":"Ping","index":0,"ack":[1]}"#,
            sync("[]", index: "-1"), sync("[]", index: "1.5"), sync("[]", index: #""3""#), sync("[]", index: "1e400"),
            sync("[]", index: "9007199254740992"), sync("[]", index: String(repeating: "9", count: 100_000)),
            sync("[]", index: "null"), #"{"type":"\ud800","index":0}"#, #"{"type":5,"index":0}"#, #"{"index":0}"#,
            String(repeating: "[", count: 1_000_000), String(repeating: #"{"a":"#, count: 100_000),
            sync(String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000), index: "0"),
            #"{"type":"SessionCreateReply","index":0,"sessionToken":"other"}"#,
            #"{"type":"SessionCreateReply","index":0,"error":{"message":"late"}}"#,
            #"{"type":"SessionCreate","index":0,"version":"0.2.0"}"#,
        ]
    )
    func ignored(_ frame: String) {
        var rig = MachineRig()
        rig.establishScope()
        rig.handle(.received(frame))
        rig.receive(rig.sync("after"))
        #expect(Self.names(&rig) == ["after"] && rig.takeSent().isEmpty)
        #expect(rig.machine.token == "token-1" && rig.closeCount == 0 && rig.end == nil)
    }

    @Test(
        "an invalid message uses its index, and its valid parts",
        arguments: [
            (#"{"type":"Later","index":3}"#, [String]()), (#"{"index":3}"#, []),
            (#"{"type":"ScopeSync","index":3}"#, []),
            (sync("{}"), []), (sync("[1,null,[],{}]"), []), (sync("[]", scopeIndex: "-1"), []),
            (sync("[]", scopeIndex: "9007199254740991"), []), (sync("[]", scopeIndex: #""0""#), []),
            (sync(#"[{"type":"move","uuid":"@","clsName":"Canvas"}]"#), []),
            (sync(#"[{"type":"change","uuid":"nobody","clsName":"Canvas"}]"#), []),
            (sync(#"[{"type":"change","uuid":"@","clsName":5,"properties":{}}]"#), []),
            (sync(#"[{"type":"change","uuid":"@","clsName":"Canvas","properties":[]}]"#), []),
            (sync(#"[0,{"type":"change","uuid":"@","clsName":"Canvas","properties":{"name":"kept"}}]"#), ["kept"]),
            // Of two members with one name the first counts.
            (
                sync(
                    #"[{"type":"change","uuid":"@","clsName":"Canvas","properties":{"name":"a","name":"b"},"type":"add"}]"#
                ), ["a"]
            ),
            (#"{"type":"ScopeFetchReply","index":3,"replyTo":1,"scopeIndex":0}"#, []),
            (#"{"type":"ScopeFetchReply","index":3,"replyTo":7,"scopeIndex":1}"#, []),
            (#"{"type":"ScopeFetchReply","index":3,"replyTo":9007199254740991,"error":{"message":"no"}}"#, []),
            (#"{"type":"ScopeSyncReply","index":3,"replyTo":7,"fragmentReplies":[{}]}"#, []),
            (#"{"type":"ScopeSyncReply","index":3,"replyTo":0,"fragmentReplies":[{}]}"#, []),
            (#"{"type":"Reply","index":3,"replyTo":9007199254740991}"#, []),
            (#"{"type":"ScopeState","index":3,"scopeIndex":5,"rootUUID":"@","fragments":[]}"#, []),
            (#"{"type":"ScopeState","index":3,"scopeIndex":0,"rootUUID":"x","fragments":[]}"#, []),
        ]
    )
    func counted(_ message: String, _ names: [String]) {
        var rig = MachineRig()
        rig.establishScope()
        rig.serverIndex = 3
        rig.handle(.received(message.replacing("@", with: Self.root)))
        #expect(Self.names(&rig) == names)
        rig.receive(rig.sync("after"))
        #expect(Self.names(&rig) == ["after"] && rig.takeSent().isEmpty)
        #expect(rig.machine.token == "token-1" && rig.closeCount == 0)
    }

    @Test("one invalid message of a frame does not affect the others, and repeated ones count once")
    func mixed() {
        var rig = MachineRig()
        rig.establishScope()
        let change = #"{"type":"change","uuid":"\#(Self.root)","clsName":"Canvas","properties":{"name":"a"}}"#
        let good = Self.sync("[\(change)]")
        let frame = (["0", "null", "{}", #"{"type":"ScopeSync"}"#] + Array(repeating: good, count: 100))
        rig.handle(.received("[\(frame.joined(separator: ","))]"))
        #expect(Self.names(&rig) == ["a"] && rig.machine.duplicateCount == 99 && rig.takeSent().isEmpty)
    }

    @Test("a message that is nested too deeply is a gap, and repeated ones end the session")
    func deep() {
        var rig = MachineRig()
        rig.establishScope()
        let nested = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        let message = Self.sync(
            #"[{"type":"change","uuid":"\#(Self.root)","clsName":"Canvas","properties":{"name":\#(nested)}}]"#
        )
        _ = rig.nextServerIndex()
        for _ in 0..<4 where rig.machine.token != nil {
            rig.handle(.received(message))
            rig.receive(rig.sync("later"))
            rig.receive(.ping(.init(ack: 1, resendMissing: true)))
        }
        #expect(rig.machine.token == nil && rig.closeCount == 1 && Self.names(&rig).isEmpty)
    }

    @Test(
        "values of any kind leave a tree that can be written and read",
        arguments: [
            "null", "true", "1e400", "-1e400", "1e-400", "-0", String(repeating: "9", count: 100_000),
            "9223372036854775808",
            #""""#, #""\u0000\ud83d\ude00""#, "[]", "{}", "[null]", "[1,\"a\",true]", "[[1],[[]]]", #"[{"a":[]}]"#,
            #"["@","@"]"#, #""@""#, #"["@","nobody",1,null]"#, #"{"$cls":"TestModel"}"#,
            String(repeating: "[", count: 100) + String(repeating: "]", count: 100),
        ]
    )
    func values(_ value: String) throws {
        let receiver = Receiver()
        receiver.receiveChild()
        let id = Receiver.id(2).wireText
        let names = TestModel.modelSchema.properties.map(\.name) + ["unknown"]
        let members = names.map { #""\#($0)":\#(value.replacing("@", with: id))"# }.joined(separator: ",")
        let fragments = ["change", "add"].map { kind in
            let id = kind == "add" ? Receiver.id(3).wireText : Receiver.rootID.wireText
            return #"{"type":"\#(kind)","uuid":"\#(id)","clsName":"TestModel","properties":{\#(members)}}"#
        }
        let join =
            #"{"type":"change","uuid":"\#(Receiver.rootID.wireText)","clsName":"TestModel","#
            + #""properties":{"childModel2":"\#(Receiver.id(3).wireText)"}}"#
        for message in try JetstreamCodec().messages(in: Self.sync("[\(fragments.joined(separator: ",")),\(join)]")) {
            if case .scopeSync(let sync) = message { receiver.receive(sync: sync.fragments) }
        }
        #expect(receiver.root.childModel2?.uuid == Receiver.id(3))
        let written = receiver.scope.stateFragments
        let frame = JetstreamCodec().text(
            of: .scopeState(.init(index: 1, scopeIndex: 0, rootUUID: Receiver.rootID, fragments: written))
        )
        let copy = Receiver()
        guard case .scopeState(let state)? = try JetstreamCodec().messages(in: frame).first else {
            Issue.record("not a state: \(frame.prefix(200))")
            return
        }
        copy.receive(state: state.fragments)
        let read = copy.scope.stateFragments
        #expect(read.map(\.uuid) == written.map(\.uuid))
        for (one, other) in zip(read, written) where one != other {
            Issue.record("\(one.properties) is not \(other.properties)")
        }
    }
}
