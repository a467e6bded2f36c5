internal import AppNet
import Foundation
import HeliumJSON

extension FuzzTarget {
    static let appNetJSON = FuzzTarget(
        "appnet-json",
        examples: [
            #"{"meta":{"code":200,"more":true,"min_id":"1","marker":{"name":"global"},"unread_counts":{"a":1}},"data":["#
                + #"{"id":"1","channel_id":"2","text":"@alice #x 😀 example.com","created_at":"2012-12-31T13:22:55Z","#
                + #""entities":{"mentions":[{"name":"alice","id":"1","pos":0,"len":6,"is_leading":true}],"hashtags":[{"name":"#
                + #""x","pos":7,"len":2}],"links":[{"url":"http://example.com","pos":12,"len":11,"amended_len":13}]},"#
                + #""annotations":[{"type":"net.app.core.geolocation","value":{"latitude":1.5,"longitude":2}}]}]}"#,
            #"{"id":3,"owner":{"id":"1","counts":{"stars":1}},"readers":{"public":true,"user_ids":[1,"@bob"]},"#
                + #""recent_message":{"machine_only":1},"has_unread":"false"}"#,
            #"{"content":{"text":"a","entities":{"tags":[{"text":"x"}]}},"raw":{"a":[{}]},"acl":{"read":{}},"counts":{}}"#,
            #"{"id":"1","complete":true,"derived_files":{"image_thumb_200s":{"size":1}},"file_token":"t"}"#,
            #"{"repost_of":{"repost_of":{"id":"1"}},"deleted":"1","starred_by":[{}]}"#,
            #"{"action":"follow","objects":[{"username":"a"},{"readers":{}},{}]}"#,
            #"{"meta":{"type":"star"},"data":{"post":{},"user":{}}}"#,
        ],
        pieces: [
            "{", "}", "[", "]", ",", ":", "\"", "null", "true", "\"1\"", "1", "-1", "1e999", "0.5", "\"\"", "[[[[[[[[",
            "\"pos\":", "\"len\":", "\"entities\":", "\"user\":", "\"data\":", "\"content\":", "\"raw\":",
            "\\ud83d\\ude00",
            "9223372036854775807", "-9223372036854775808", "\"2012-12-31T13:22:55.5+01:00\"",
        ],
        check: AppNetFuzz.document
    )

    static let appNetText = FuzzTarget(
        "appnet-text",
        examples: [
            "@alice @Bob: #tag [a](https://example.com/x_(y)) https://example.com, example.org/a?b#c.",
            "😀#é @@a a@b &#39;",
        ],
        pieces: [
            "@", "#", "[", "]", "(", ")", "](", "http://", "https://", ".com", "/", ".", "_", "é", "😀", "\u{301}",
            "\u{200D}",
            "\r\n", "&", "<", "a", "{post_id}",
        ],
        check: AppNetFuzz.text
    )

    static let appNetFrames = FuzzTarget(
        "appnet-frames",
        examples: [
            #"{"meta":{"timestamp":"1","type":"message","id":"5","channel_type":"net.app.core.pm","subscription_ids":["a"],"#
                + #""connection_id":"c","is_deleted":true,"deleted_id":"4"},"data":{"id":"1","text":"a"}}"#,
            #"{"meta":{"type":"channel","subscription_id":"b","more":true},"data":[{"id":2,"recent_message_id":"9"}]}"#,
            #"{"meta":{"type":"star","is_deleted":0},"data":{"post":{"id":"1"},"user":{"id":"2"}}}"#,
            #"{"meta":{"connection_id":"1"}}"#, #"{"control":{"ping":1},"meta":{"type":"token"},"data":{"token":{}}}"#,
            #"{"meta":{"type":"user_follow"},"data":{"follows_user":{"id":"1"},"followed_user":{},"user":{"id":"3"}}}"#,
        ],
        pieces: [
            "{", "}", "[", "]", ",", ":", "\"", "null", "true", "1", "\"1\"", "1e999", "\"meta\":", "\"data\":",
            "\"type\":",
            "\"message\"", "\"post\"", "\"file\"", "\"io.pnut.core.pm\"", "\"subscription_ids\":", "\"control\":",
            "\\ud83d",
            "9223372036854775807", "[[[[[[[[",
        ],
        check: AppNetFuzz.frame
    )
}

/// Reads App.net's documents, writes and reads again what was read, and looks for entities in texts.
package enum AppNetFuzz {
    private static let kinds = AppNetDocumentKind.all

    /// Each input is read as one kind, which follows from its length, in every shape.
    package static func document(_ bytes: [UInt8]) throws {
        let kind = kinds[bytes.count % kinds.count]
        let data = Data(bytes)
        for shape: AppNetDocumentKind.Shape in [[], .list, .envelope, [.envelope, .list], .exchange] {
            let document: AppNetDocumentKind.DecodedDocument
            do {
                document = try kind.read(data, shape: shape)
            } catch is AppNetDocumentError {
                continue
            } catch {
                throw FuzzFinding("\(error) is no AppNetDocumentError")
            }
            guard try kind.read(document.value.data(), shape: shape) == document else {
                throw FuzzFinding("\(kind.name) is written so that something else is read")
            }
            try entities(in: document.value)
        }
        try dialects(bytes, data)
    }

    /// Positions are anybody's numbers.
    private static func entities(in value: JSONValue) throws {
        for message in [value, value["data"] ?? nil, value["data"]?[0] ?? nil] {
            guard let read = try? HeliumJSONDecoder().decode(Message.self, from: message.data()), let text = read.text,
                let entities = read.entities
            else { continue }
            for link in entities.links ?? [] { _ = link.amendedRange(in: text) }
            guard String(entities.attributedString(of: text).characters) == text else {
                throw FuzzFinding("an attributed string says something else than its text")
            }
            _ = entities.html(of: text)
            try? ServiceConfiguration.documented.validate(read)
        }
    }

    private static func dialects(_ bytes: [UInt8], _ data: Data) throws {
        guard let value = try? JSONValue(parsing: data) else { return }
        let type = AppNetDocumentKind.all[bytes.count % AppNetDocumentKind.all.count].type
        for translate in [PnutMembers.appNetForm, PnutMembers.pnutForm] {
            do {
                _ = try translate(value, type)
            } catch is UntranslatableMember {
                continue
            } catch {
                throw FuzzFinding("\(error) is no UntranslatableMember")
            }
        }
    }

    /// A frame of a user stream and of an app stream, in either dialect.
    package static func frame(_ bytes: [UInt8]) throws {
        let data = Data(bytes)
        for dialect in [AppNetDialect.appNet, .pnut] {
            do {
                for id in try EventFrame(data, dialect: dialect).subscriptionIDs { _ = id.utf8.count }
                _ = try StreamEvent(frame: data, dialect: dialect)
            } catch is DecodingError {
                continue
            } catch {
                throw FuzzFinding("\(error) is no DecodingError")
            }
        }
    }

    /// Every entity that is found has its text at its place.
    package static func text(_ bytes: [UInt8]) throws {
        let input = String(decoding: bytes, as: UTF8.self)
        for processor in [TextProcessor(), TextProcessor(parsesMarkdownLinks: true, amendsLinks: true)] {
            let processed = processor.process(input)
            guard let text = processed.text, let entities = processed.entities else {
                throw FuzzFinding("a processed text has no text")
            }
            for link in entities.links ?? [] where link.substring(in: text).map(String.init) != link.text {
                throw FuzzFinding("a link is at another place than its anchor")
            }
            for hashtag in entities.hashtags ?? [] {
                guard hashtag.substring(in: text)?.dropFirst().lowercased() == hashtag.name else {
                    throw FuzzFinding("a hashtag is at another place than its word")
                }
            }
            for mention in entities.mentions ?? [] {
                guard mention.substring(in: text)?.dropFirst().lowercased() == mention.name else {
                    throw FuzzFinding("a mention is at another place than its name")
                }
            }
        }
    }
}
