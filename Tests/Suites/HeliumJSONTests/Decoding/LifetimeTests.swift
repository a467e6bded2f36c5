import Foundation
import HeliumJSON
import Testing

/// Decoders and containers that somebody keeps.
@Suite("Containers kept beyond the call")
struct LifetimeTests {
    private final class Kept: Decodable {
        let decoder: any Decoder
        let members: KeyedDecodingContainer<NameKey>
        var elements: any UnkeyedDecodingContainer
        let single: any SingleValueDecodingContainer

        required init(from decoder: any Decoder) throws {
            self.decoder = decoder
            members = try decoder.container(keyedBy: NameKey.self)
            elements = try members.nestedUnkeyedContainer(forKey: "elements")
            single = try members.superDecoder(forKey: "text").singleValueContainer()
            // What a call has looked for is remembered for those after it.
            _ = try? members.decode(Int.self, forKey: "text")
        }
    }

    private static let document =
        #"{"n\u0061me":"a\nb","elements":[1,"zwölf",{"x":[null,2.5]},300],"text":"long enough to lie on the heap"}"#

    private func check(_ kept: Kept) {
        func same<Value: Equatable>(_ read: () throws -> Value, _ value: Value) { #expect((try? read()) == value) }
        same({ try kept.members.decode(String.self, forKey: "name") }, "a\nb")
        same({ try kept.single.decode(String.self) }, "long enough to lie on the heap")
        same({ kept.members.allKeys.map(\.stringValue) }, ["name", "elements", "text"])
        same({ try kept.elements.decode(Int.self) }, 1)
        same({ try kept.elements.decode(String.self) }, "zwölf")
        same(
            { try kept.elements.nestedContainer(keyedBy: NameKey.self).decode([Double?].self, forKey: "x") },
            [nil, 2.5]
        )
        let error = #expect(throws: DecodingError.self) { try kept.elements.decode(UInt8.self) }
        #expect(error?.jsonLocation == JSONLocation(line: 1, column: 60, byteOffset: 60))
        same({ kept.elements.codingPath.map(\.stringValue) }, ["elements"])
        same({ try kept.decoder.singleValueContainer().decode([String: Everything].self).count }, 3)
        let missing = #expect(throws: DecodingError.self) { try kept.members.decode(Int.self, forKey: "none") }
        #expect(missing?.jsonLocation?.byteOffset == 0)
    }

    @Test("containers are valid after the bytes are gone", arguments: [1, 100])
    func keptAlone(count: Int) throws {
        let bytes = Array(Self.document.utf8)
        for _ in 0..<count {
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
            memory.copyBytes(from: bytes)
            let kept = try HeliumJSONDecoder().decode(Kept.self, from: UnsafeRawBufferPointer(memory))
            for index in memory.indices { memory[index] = 0x20 }
            memory.deallocate()
            check(kept)
        }
    }

    @Test("containers are valid after an error ended the call")
    func keptThroughErrors() throws {
        final class Box: @unchecked Sendable { var kept: Kept? }
        struct Fails: Decodable {
            init(from decoder: any Decoder) throws {
                let box = CodingUserInfoKey(rawValue: "box").flatMap { decoder.userInfo[$0] as? Box }
                box?.kept = try Kept(from: decoder)
                throw CocoaError(.coderInvalidValue)
            }
        }
        let box = Box()
        var decoder = HeliumJSONDecoder()
        decoder.userInfo[try #require(CodingUserInfoKey(rawValue: "box"))] = box
        let bytes = Array(Self.document.utf8)
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        memory.copyBytes(from: bytes)
        #expect(throws: CocoaError.self) { try decoder.decode(Fails.self, from: UnsafeRawBufferPointer(memory)) }
        for index in memory.indices { memory[index] = 0 }
        memory.deallocate()
        check(try #require(box.kept))
    }

    @Test("containers of converted keys, at a path, and of a missing super class are valid after the call")
    func otherWays() throws {
        final class Parent: Decodable {
            let parent: any Decoder
            let container: KeyedDecodingContainer<NameKey>
            init(from decoder: any Decoder) throws {
                container = try decoder.container(keyedBy: NameKey.self)
                parent = try container.superDecoder()
            }
        }
        var decoder = HeliumJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        var kept = try decoder.decode(Parent.self, from: #"{"some_name":"value"}"#)
        #expect(try kept.container.decode(String.self, forKey: "someName") == "value")
        #expect(try kept.parent.singleValueContainer().decodeNil())
        #expect(kept.parent.codingPath.map(\.stringValue) == ["super"])
        kept = try #require(try decoder.decode(Parent.self, from: Data(#"{"a":{"super":[7]}}"#.utf8), at: ["a"]))
        #expect(try kept.parent.singleValueContainer().decode([Int].self) == [7])
    }

    @Test("one decoder works in many tasks at the same time")
    func tasks() async throws {
        let decoder = HeliumJSONDecoder()
        let document = Data(Self.document.utf8)
        let expected = try decoder.decode(Everything.self, from: document)
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    (0..<50).allSatisfy { _ in (try? decoder.decode(Everything.self, from: document)) == expected }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
