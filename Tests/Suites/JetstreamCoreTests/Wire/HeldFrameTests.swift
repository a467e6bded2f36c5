import Foundation
import HeliumJSON
import Testing

@testable import JetstreamCore

@Suite("Memory of received frames")
struct HeldFrameTests {
    private static func fragment(_ number: Int, _ properties: String) -> String {
        """
        {"type":"add","uuid":"00000000-0000-4000-8000-00000000000\(number)","clsName":"Shape","properties":\(properties)}
        """
    }

    private static func sync(_ fragments: [String], other: String = "") -> String {
        """
        {"type":"ScopeSync","index":1,"scopeIndex":0,"fragments":[\(fragments.joined(separator: ","))]\(other)}
        """
    }

    private func fragments(_ frame: String) throws -> [[SyncFragment]] {
        try JetstreamCodec().messages(in: frame).compactMap {
            if case .scopeSync(let sync) = $0 { sync.fragments } else { nil }
        }
    }

    private let long = String(repeating: "x", count: 50_000)

    @Test("fragments that make up most of a message keep its frame")
    func whole() throws {
        let frame = Self.sync([Self.fragment(1, #"{"name":"\#(long)"}"#), Self.fragment(2, "{}")])
        let read = try #require(try fragments(frame).first)
        #expect(read.map(\.heldBytes) == [frame.utf8.count, frame.utf8.count])
        #expect(read.map(\.properties) == [["name": .string(long)], [:]])
    }

    @Test("a small frame is kept whatever it contains")
    func small() throws {
        let frame = Self.sync([Self.fragment(1, #"{"x":1}"#)], other: #","more":"\#(long.prefix(1000))""#)
        let read = try #require(try fragments(frame).first)
        #expect(read.map(\.heldBytes) == [frame.utf8.count] && read[0].properties == ["x": 1])
    }

    @Test("a small value of a large frame is copied", arguments: ["message", "fragment", "other message", "space"])
    func little(place: String) throws {
        let values = #"{"x":1,"s":"a\"é","list":["a",[{}]],"o":{"empty":{}}}"#
        let fragment = Self.fragment(1, values)
        let frame =
            switch place {
            case "message": Self.sync([fragment], other: #","more":"\#(long)""#)
            case "fragment": Self.sync([fragment.dropLast() + #","more":"\#(long)"}"#])
            case "space": Self.sync([fragment]) + String(repeating: " ", count: 50_000)
            default: "[\(Self.sync([fragment])),\(Self.sync([Self.fragment(2, #"{"name":"\#(long)"}"#)]))]"
            }
        let read = try fragments(frame)
        #expect(read[0].map(\.heldBytes) == [0])
        #expect(read[0].first?.properties["s"] == "a\"é" && read[0].first?.properties["list"] == ["a", [[:]]])
        #expect(read.dropFirst().allSatisfy { $0.allSatisfy { $0.heldBytes == frame.utf8.count } })
    }

    @Test(
        "the length of an object's text ends with its bracket",
        arguments: [
            "{}", #"{"a":1}"#, #"{"a":"b"}"#, #"{"a":[]}"#, #"{"a":{}}"#, #"{"a":null}"#, #"{"":"é\n"}"#,
        ]
    )
    func lengths(text: String) throws {
        let frame = Self.sync([Self.fragment(1, text)])
        guard case .parsed(let object)? = try fragments(frame).first?.first?.storage else {
            Issue.record("copied")
            return
        }
        #expect(object.byteCount == text.utf8.count && object.documentByteCount == frame.utf8.count)
    }

    @Test("a copy of a fragment keeps no frame and has the same properties")
    func copied() throws {
        let read = try #require(try fragments(Self.sync([Self.fragment(1, #"{"x":[1,"2"],"y":null}"#)])).first?.first)
        #expect(read.withoutFrame == read && read.withoutFrame.heldBytes == 0 && read.heldBytes > 0)
    }
}
