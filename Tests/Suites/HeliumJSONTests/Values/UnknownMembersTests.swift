import Foundation
import HeliumJSON
import Testing

@Suite("Unknown members") struct UnknownMembersTests {
    struct User: Codable, Equatable {
        var userName: String
        var age: Int?
        var unknown: JSONObject

        enum CodingKeys: String, CodingKey, CaseIterable { case userName, age }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            userName = try container.decode(String.self, forKey: .userName)
            age = try container.decodeIfPresent(Int.self, forKey: .age)
            unknown = try decoder.unknownMembers(besides: CodingKeys.self)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(userName, forKey: .userName)
            try container.encodeIfPresent(age, forKey: .age)
            try encoder.encode(unknownMembers: unknown)
        }
    }

    struct FastUser: JSONReadable {
        var name: String
        var unknown: JSONObject

        init(from decoder: any Decoder) throws { throw CancellationError() }

        init(json: borrowing JSONReader) throws {
            var name: String?
            // sample
            var unknown = JSONObject()
            try json.forEachMember { key, value in
                switch key {
                case "name": name = try value.read()
                default: unknown.keep(key, value)
                }
            }
            // end of sample
            self.name = try json.required(name, "name")
            self.unknown = unknown
        }
    }

    static let text =
        #"[{"z":1.0,"userName":"m","a":{"b_c":[null]},"age":3,"\u0061ge":4,"z":2},{"userName":"n"},{"\u0075serName":"o","userName ":0}]"#

    @Test("unknown members are kept unchanged")
    func areKeptAsTheyStand() throws {
        let users = try HeliumJSONDecoder().decode([User].self, from: Self.text)
        #expect(users.map(\.userName) == ["m", "n", "o"])
        #expect(users[0].unknown.description == #"{"z":1.0,"a":{"b_c":[null]}}"#)
        #expect(users[1].unknown.isEmpty)
        #expect(users[2].unknown == ["userName ": 0])
    }

    @Test("unknown members are the same with Foundation's decoder")
    func areTheSameWithFoundationsDecoder() throws {
        let ours = try HeliumJSONDecoder().decode([User].self, from: Self.text)
        #expect(try JSONDecoder().decode([User].self, from: Data(Self.text.utf8)) == ours)
    }

    @Test("unknown members are encoded into the same object")
    func areWrittenBackIntoTheSameObject() throws {
        let users = try HeliumJSONDecoder().decode([User].self, from: Self.text)
        let value = try JSONValue(parsing: JSONEncoder().encode(users))
        #expect(value[0] == ["userName": "m", "age": 3, "z": 1, "a": ["b_c": [nil]]])
        #expect(value[1] == ["userName": "n"])
        #expect(try JSONDecoder().decode([User].self, from: JSONEncoder().encode(users)) == users)
    }

    @Test("unknown members are named by the key strategy")
    func areNamedAsTheKeyStrategyHasIt() throws {
        let text = #"{"user_name":"m","other_member":{"in_side":1}}"#
        var decoder = HeliumJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let user = try decoder.decode(User.self, from: text)
        #expect(user.unknown == ["otherMember": ["in_side": 1]])
        let foundations = JSONDecoder()
        foundations.keyDecodingStrategy = .convertFromSnakeCase
        #expect(try foundations.decode(User.self, from: Data(text.utf8)) == user)
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        #expect(try JSONValue(parsing: encoder.encode(user)) == JSONValue(parsing: text))
    }

    @Test("unknown members are kept by the fast path")
    func areKeptByTheFastPath() throws {
        let text = #"{"z":1.0,"name":"m","a":{"b":[null]},"z":2}"#
        let user = try HeliumJSONDecoder().decode(FastUser.self, from: text)
        #expect(user.name == "m")
        #expect(user.unknown.description == #"{"z":1.0,"a":{"b":[null]}}"#)
    }

    @Test("many unknown members are found")
    func manyAreFoundToo() throws {
        let members = (0..<200).map { "\"n\($0)\":\($0)" }.joined(separator: ",")
        let user = try HeliumJSONDecoder().decode(User.self, from: "{\(members),\"userName\":\"m\",\(members)}")
        #expect(user.unknown.map(\.value.intValue) == (0..<200).map { $0 })
    }

    @Test("only objects have unknown members")
    func areOfObjectsOnly() {
        struct Empty: Decodable {
            init(from decoder: any Decoder) throws { _ = try decoder.unknownMembers(besides: User.CodingKeys.self) }
        }
        #expect(throws: DecodingError.self) { try HeliumJSONDecoder().decode(Empty.self, from: "[]") }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Empty.self, from: Data("[]".utf8)) }
    }
}
