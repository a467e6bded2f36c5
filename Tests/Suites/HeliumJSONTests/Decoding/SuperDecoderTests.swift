import Foundation
import HeliumJSON
import Testing

@Suite("Super decoders and inheritance")
struct SuperDecoderTests {
    private let both = SideBySide()

    @Test("a super decoder reads the member super, or that of a key, or null")
    func keyed() {
        for document in [
            #"{"super":{"a":1},"k":[2]}"#, #"{"super":null,"k":null}"#, "{}", #"{"super":1,"k":"x"}"#,
            #"{"super":[1],"k":{}}"#,
        ] {
            both.expectSameSteps(document) { decoder, recorder in
                let any = try decoder.container(keyedBy: NameKey.self)
                let few = try decoder.container(keyedBy: Few.self)
                for parent in [try any.superDecoder(), try few.superDecoder(), try any.superDecoder(forKey: "k")] {
                    recorder.path(parent.codingPath)
                    recorder.step { parent.userInfo.count }
                    recorder.step { try parent.container(keyedBy: NameKey.self).allKeys }
                    recorder.step { try parent.unkeyedContainer().count as Any }
                    let single = try parent.singleValueContainer()
                    recorder.path(single.codingPath)
                    recorder.step { single.decodeNil() }
                    recorder.step { try single.decode(Int.self) }
                    recorder.step { try single.decode(Bool.self) }
                    recorder.step { try single.decode(String.self) }
                    recorder.step { try single.decode(Int?.self) as Any }
                    recorder.step { try single.decode(Optional<Int?>.self) as Any }
                    recorder.step { try single.decode([Int].self) }
                    recorder.step { try single.decode([Int]?.self) as Any }
                    recorder.step { try single.decode([String: Int].self) }
                    recorder.step { try single.decode(Date.self) }
                    recorder.step { try single.decode(Data.self) }
                    recorder.step { try single.decode(URL.self) }
                    recorder.step { try single.decode(Decimal.self) }
                    recorder.step { try single.decode(Everything.self) }
                    recorder.step { try single.decode(Nothing.self) }
                    recorder.step { try single.decode(Two.self) }
                    recorder.step { try single.decode(UUID.self) }
                    recorder.step { try Everything(from: parent) }
                    recorder.step { try Two(from: parent) }
                    recorder.step { try Nothing(from: parent) }
                }
            }
        }
    }

    private enum Few: String, CodingKey { case k, l }

    private struct Nothing: Decodable, Equatable {}

    private struct Two: Decodable, Equatable { var a: Int, b: Int? }

    class Base: Decodable, CustomStringConvertible {
        var id: Int
        var description: String { "Base \(id)" }
    }

    class Derived: Base {
        var name: String

        private enum CodingKeys: CodingKey { case name }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            try super.init(from: container.superDecoder())
        }

        override var description: String { "Derived \(name), \(super.description)" }
    }

    final class Flat: Base {
        let more: [Int]

        private enum CodingKeys: CodingKey { case more }

        required init(from decoder: any Decoder) throws {
            more = try decoder.container(keyedBy: CodingKeys.self).decode([Int].self, forKey: .more)
            try super.init(from: decoder)
        }

        override var description: String { "Flat \(more), \(super.description)" }
    }

    final class Listed: Base {
        let first: Int

        required init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            first = try container.decode(Int.self)
            try super.init(from: container.superDecoder())
        }

        override var description: String { "Listed \(first), \(super.description)" }
    }

    @Test(
        "classes decode their own members and those of their super class",
        arguments: [
            #"{"name":"n","super":{"id":1}}"#, #"{"name":"n","super":{"id":null}}"#, #"{"name":"n"}"#,
            #"{"name":"n","super":null}"#, #"{"name":"n","super":{}}"#, #"{"more":[1],"id":2}"#, #"{"more":[1]}"#,
            #"[1,{"id":2}]"#, #"[1]"#, #"[1,null]"#, #"[1,{"id":"x"}]"#, #"{"id":1}"#,
        ]
    )
    func inheritance(document: String) {
        both.expectSameSteps(document) { decoder, recorder in
            let single = try decoder.singleValueContainer()
            recorder.step { try single.decode(Base.self) }
            recorder.step { try single.decode(Derived.self) }
            recorder.step { try single.decode(Flat.self) }
            recorder.step { try single.decode(Listed.self) }
        }
    }

    @Test("a type that is known only at run time is decoded")
    func dynamicTypes() {
        both.expectSameSteps(#"{"a":{"name":"n","super":{"id":1}},"b":[{"name":"m","super":{"id":2}}]}"#) {
            decoder,
            recorder in
            let type: Base.Type = Derived.self
            let container = try decoder.container(keyedBy: NameKey.self)
            recorder.step { try container.decode(type, forKey: "a") }
            recorder.step { try container.decodeIfPresent(type, forKey: "a") as Any }
            var array = try container.nestedUnkeyedContainer(forKey: "b")
            recorder.step { try array.decode(type) }
            recorder.step { try container.superDecoder(forKey: "a").singleValueContainer().decode(type) }
        }
        let type: Base.Type = Derived.self
        let (helium, foundation) = both.outcomes(type, #"{"name":"n","super":{"id":1}}"#.utf8)
        #expect(helium.description == foundation.description)
        #expect(helium.value is Derived)
    }

    @Test("user info reaches every decoder")
    func userInfo() throws {
        let key = try #require(CodingUserInfoKey(rawValue: "test"))
        var both = both
        both.helium.userInfo[key] = 7
        both.foundation.userInfo[key] = 7
        both.expectSameSteps(#"{"a":[{"b":1}],"super":{}}"#) { decoder, recorder in
            recorder.step { decoder.userInfo[key] as Any }
            let container = try decoder.container(keyedBy: NameKey.self)
            for key: NameKey in ["a", "none"] {
                recorder.step { try container.superDecoder(forKey: key).userInfo.count }
            }
            recorder.step { try container.superDecoder().userInfo[key] as Any }
            var array = try container.nestedUnkeyedContainer(forKey: "a")
            recorder.step { try array.superDecoder().userInfo[key] as Any }
        }
        struct Reads: Decodable, Equatable {
            var value: Int?
            init(from decoder: any Decoder) throws {
                value = CodingUserInfoKey(rawValue: "test").flatMap { decoder.userInfo[$0] as? Int }
            }
        }
        #expect(both.expectSame([String: [Reads?]].self, #"{"a":[{},null]}"#).value?["a"]?.first??.value == 7)
    }
}
