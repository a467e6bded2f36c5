import HeliumJSON
import HeliumServer
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Access control lists of App.net", .timeLimit(.minutes(5)))
struct ChannelACLTests {
    private static let names = ["@alice": Int64(1), "@bob": 2, "1": 1, "2": 2, "3": 3]

    private func updated(_ sent: String, _ role: ChannelACL.Role = .readers, from old: ChannelACL = ChannelACL()) throws
        -> ChannelACL
    {
        try old.updated(
            JSONValue.parse(sent) ?? .null,
            role: role,
            owner: 1,
            maximumUsers: 2,
            resolve: { Self.names[$0] ?? Int64($0).flatMap { $0 > 90 ? $0 : nil } }
        )
    }

    @Test(
        "an access list has the ids of its users, each once and without the owner",
        arguments: [
            (#"["@bob"]"#, [Int64(2)]), ("[2,\"2\",\"@bob\"]", [2]), ("\"2, 3\"", [2, 3]), (#"["@alice",3]"#, [3]),
            ("[]", []),
            ("\"\"", []),
        ]
    )
    func users(_ list: String, _ ids: [Int64]) throws {
        #expect(try updated(#"{"user_ids":\#(list)}"#).users == ids)
    }

    @Test("an access list has one of any user, public and users, and setting one clears the others")
    func exclusive() throws {
        var acl = try updated(#"{"user_ids":[2]}"#)
        acl = try updated(#"{"any_user":true}"#, from: acl)
        #expect(acl.isForAnyUser && acl.users.isEmpty)
        acl = try updated(#"{"public":1}"#, from: acl)
        #expect(acl.isPublic && !acl.isForAnyUser)
        acl = try updated(#"{"user_ids":[2],"public":false}"#, from: acl)
        #expect(!acl.isPublic && acl.users == [2])
        #expect(try updated(#"{"immutable":true}"#, from: acl).users == [2])
    }

    @Test(
        "an access list that contradicts itself, or names unknown users, is refused",
        arguments: [
            (ChannelACL.Role.readers, #"{"any_user":true,"public":true}"#),
            (.readers, #"{"public":true,"user_ids":[2]}"#),
            (.writers, #"{"public":true}"#), (.editors, #"{"public":true}"#), (.editors, #"{"any_user":true}"#),
            (.readers, #"{"user_ids":["@nobody"]}"#), (.readers, #"{"user_ids":[91,92,93]}"#),
            (.readers, #"{"user_ids":[{}]}"#), (.readers, #"{"any_user":"maybe"}"#), (.readers, "[]"),
        ]
    )
    func refusals(_ role: ChannelACL.Role, _ sent: String) {
        #expect(throws: AppNetFailure.self) { try updated(sent, role) }
    }

    @Test("an immutable access list is not changed, and is accepted when it is sent back")
    func immutable() throws {
        let acl = try updated(#"{"user_ids":[2],"immutable":true}"#)
        #expect(try updated(acl.json(you: true).text(), from: acl) == acl)
        for change in [#"{"user_ids":[3]}"#, #"{"immutable":false}"#, #"{"any_user":true}"#] {
            #expect(throws: AppNetFailure.self) { try updated(change, from: acl) }
        }
    }

    @Test(
        "editors of a channel write, writers read, and the owner does everything",
        arguments: [
            (Int64(1), true, true, true), (2, true, true, true), (3, true, true, false), (4, true, false, false),
            (5, false, false, false),
        ]
    )
    func hierarchy(_ user: Int64, _ reads: Bool, _ writes: Bool, _ edits: Bool) {
        var channel = AppNetChannel(id: 1, type: "com.example.notes", owner: 1, created: 0)
        channel.editors.users = [2]
        channel.writers.users = [3]
        channel.readers.users = [4]
        let rights = ChannelACL.Role.allCases.map { channel.allows($0, user: user) }
        #expect(rights == [reads, writes, edits])
    }
}
