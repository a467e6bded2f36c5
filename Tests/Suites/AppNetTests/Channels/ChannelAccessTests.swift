import AppNet
import Foundation
import HeliumJSON
import Testing

@Suite("Access to channels")
struct ChannelAccessTests {
    @Test("an access list is encoded as the service accepts it")
    func written() throws {
        func text(_ acl: ACL) throws -> String { try HeliumJSONEncoder().encodeToString(acl) }
        let nobody = #"{"any_user":false,"public":false,"immutable":false,"user_ids":[]}"#
        #expect(try text(ChannelAccess.readers(.nobody)) == nobody)
        #expect(try text(ChannelAccess.editors(.nobody)) == nobody)
        #expect(
            try text(ChannelAccess.readers(.public))
                == #"{"any_user":false,"public":true,"immutable":false,"user_ids":[]}"#
        )
        #expect(
            try text(ChannelAccess.writers(.anyUser, isImmutable: true))
                == #"{"any_user":true,"public":false,"immutable":true,"user_ids":[]}"#
        )
        #expect(
            try text(ChannelAccess.writers(.users([1, "@bob"])))
                == #"{"any_user":false,"public":false,"immutable":false,"user_ids":["1","@bob"]}"#
        )
    }

    @Test("an access list of the builders is always valid")
    func passes() throws {
        for readers in [ChannelAccess.Readers.nobody, .anyUser, .public, .users([1])] {
            for writers in [ChannelAccess.Writers.nobody, .anyUser, .users(["@bob"])] {
                for editors in [ChannelAccess.Editors.nobody, .users([2])] {
                    try AppNetChannel(
                        type: .patterRoom,
                        readers: ChannelAccess.readers(readers),
                        writers: ChannelAccess.writers(writers),
                        editors: ChannelAccess.editors(editors)
                    ).validateForCreation()
                }
            }
        }
    }

    @Test(
        "an access list that the service refuses is an error",
        arguments: [
            (AppNetChannel(type: "a", writers: ACL(isPublic: true)), "writers"),
            (AppNetChannel(type: "a", editors: ACL(isPublic: true)), "editors"),
            (AppNetChannel(type: "a", editors: ACL(includesAnyUser: true)), "editors"),
            (AppNetChannel(type: "a", readers: ACL(includesAnyUser: true, isPublic: true)), "readers"),
            (AppNetChannel(type: "a", readers: ACL(isPublic: true, userIDs: [1])), "readers"),
            (AppNetChannel(type: "a", readers: ACL(userIDs: (1...201).map { AppNetUser.ID($0) })), "readers"),
            (AppNetChannel(type: .broadcast, writers: ACL(includesAnyUser: true)), "writers"),
            (AppNetChannel(type: .broadcast, editors: ACL(isImmutable: true)), "editors"),
            (AppNetChannel(type: .broadcast, writers: ChannelAccess.writers(.users(["2"]))), "writers"),
            (AppNetChannel(type: .privateMessages), "type"), (AppNetChannel(), "type"),
            (AppNetChannel(type: ""), "type"),
        ]
    )
    func refused(_ channel: AppNetChannel, _ member: String) {
        let error = #expect(throws: RuleViolation.self) { try channel.validateForCreation() }
        #expect(error?.member == member)
    }

    @Test("the readers of a broadcast are not limited")
    func broadcast() throws {
        let readers = (1...500).map { AppNetUser.ID($0) }
        try AppNetChannel.broadcast(readers: .users(readers), editors: .users(["2"])).validateForCreation()
        let channel = AppNetChannel.broadcast()
        #expect(channel.type == .broadcast && channel.readers?.isPublic == true && channel.writers == nil)
        try channel.validateForCreation()
    }
}

@Suite("Rules for texts")
struct TextRuleTests {
    private let configuration = ServiceConfiguration.documented

    @Test("the length of a text counts code points, and templates as configured")
    func length() {
        #expect(configuration.length(of: "e\u{301}👩‍👩‍👧") == 7)
        var changed = configuration
        changed.text?.templateLengths = ["post_id": 20, "message_id": Int.min, "x": Int.max]
        #expect(configuration.length(of: "a{post_id}{message_id}") == 22)
        #expect(changed.length(of: "{post_id}{post_id}{unknown}") == 49)
        #expect(changed.length(of: "{message_id}") == 0)
        #expect(changed.length(of: "{x}") == 4096)
    }

    @Test("a text at the limit is valid, and a longer one is an error", arguments: ["x", "é", "😀"])
    func limits(_ character: String) throws {
        try configuration.validate(Message(text: String(repeating: character, count: 2048)))
        try configuration.validate(Post(text: String(repeating: character, count: 256)))
        let error = #expect(throws: RuleViolation.self) {
            try configuration.validate(Message(text: String(repeating: character, count: 2049)))
        }
        #expect(error?.problem == .tooLong(2049, maximum: 2048, unit: "code points"))
        #expect(throws: RuleViolation.self) {
            try configuration.validate(Post(text: String(repeating: character, count: 257)))
        }
    }

    @Test(
        "a text that the service refuses is an error",
        arguments: [
            (Message(), "text"), (Message(text: ""), "text"), (Message(text: "a", isMachineOnly: true), "text"),
            (Message(text: "a", annotations: [Annotation(type: "a")]), "annotations[0].value"),
            (
                Message(text: "abc", entities: Entities(links: [Entities.Link(url: "b", position: 2, length: 2)])),
                "entities.links[0]"
            ),
            (
                Message(
                    entities: Entities(mentions: (0..<11).map { Entities.Mention(name: "a\($0)") }),
                    isMachineOnly: true
                ),
                "entities.mentions"
            ),
        ]
    )
    func refused(_ message: Message, _ member: String) {
        let error = #expect(throws: RuleViolation.self) { try configuration.validate(message) }
        #expect(error?.member == member)
    }

    @Test("a machine-only message is valid, except in a private channel")
    func machineOnly() throws {
        let message = Message(annotations: [Annotation(type: "a", value: [:])], isMachineOnly: true)
        try configuration.validate(message, channelType: .journal)
        #expect(throws: RuleViolation.self) { try configuration.validate(message, channelType: .privateMessages) }
    }
}

@Suite("Images of users")
struct UserImageTests {
    @Test("the address of a user's image selects its size")
    func sizes() {
        let image = UserImage(url: "https://example.com/a.png?k=1&w=9")
        #expect(image.url(width: 50)?.absoluteString == "https://example.com/a.png?k=1&w=50")
        #expect(image.url(width: 50, height: 60)?.absoluteString == "https://example.com/a.png?k=1&w=50&h=60")
        #expect(image.url()?.absoluteString == "https://example.com/a.png?k=1&w=9")
        #expect(UserImage().url(width: 1) == nil)
        // Signatures may contain plus signs.
        let signed = UserImage(url: "https://example.com/a.png?s=a%2Bb+c%26&w=9")
        #expect(signed.url(width: 50)?.absoluteString == "https://example.com/a.png?s=a%2Bb+c%26&w=50")
    }
}
