import AppNet
import Foundation
import HeliumCore
import HeliumJSON
import TestSupport
import Testing

@Suite("Annotations of App.net")
struct AnnotationTests {
    private struct Mood: AnnotationValue, Equatable {
        static let annotationType = "com.example.mood"
        var level: Int
    }

    @Test("a registered type of annotation has a typed form, which keeps the raw one")
    func typed() throws {
        let annotation = try Annotation(Mood(level: 3))
        #expect(annotation == Annotation(type: "com.example.mood", value: ["level": 3]))
        #expect(try annotation.decoded(as: Mood.self) == Mood(level: 3))
        #expect(try annotation.decoded(as: Geolocation.self) == nil)
        #expect(try Annotation.removal(of: "com.example.mood").decoded(as: Mood.self) == nil)
        #expect(throws: DecodingError.self) {
            try Annotation(type: "com.example.mood", value: ["level": "high"]).decoded(as: Mood.self)
        }
    }

    @Test("annotations in a list are found by their types")
    func lists() throws {
        let list = [
            Annotation(type: "a"), Annotation(type: "com.example.mood", value: ["level": 1]),
            Annotation(type: "com.example.mood", value: "odd"),
            Annotation(type: "com.example.mood", value: ["level": 2]),
        ]
        #expect(try list.first(of: Mood.self) == Mood(level: 1))
        #expect(list.all(of: Mood.self) == [Mood(level: 1), Mood(level: 2)])
        #expect(list.ofType("a") == [Annotation(type: "a")])
        #expect(try list.first(of: Geolocation.self) == nil)
    }

    @Test("an annotation without a value removes its type")
    func removal() throws {
        let text = try HeliumJSONEncoder().encodeToString(Annotation.removal(of: "a"))
        #expect(text == #"{"type":"a"}"#)
    }

    /// Every type of Docs/Protocols/AppNet.md §4.3, §4.4 and §4.5 with a value of its shape.
    static let values: [(type: any (AnnotationValue & Equatable).Type, json: String)] = [
        (
            OEmbed.self,
            #"{"type":"html5video","version":"1.0","width":1,"height":2,"sources":[{"type":"video/mp4","url":"a"}],"x":1}"#
        ),
        (
            OEmbedMetadata.self,
            #"{"type":"html5video","version":"1.0","width":1,"height":2,"sources":[{"type":"a","url_key":"b"}],"#
                + #""poster_key":"c","thumbnail_key":""}"#
        ),
        (Attachments.self, #"{"net.app.core.file_list":[{"file_id":"1","file_token_read":"t","complete":true}]}"#),
        (
            Geolocation.self,
            #"{"latitude":1.5,"longitude":-2,"altitude":3,"horizontal_accuracy":4,"vertical_accuracy":5}"#
        ),
        (Checkin.self, #"{"factual_id":"a","name":"b","latitude":1.5,"other":"c"}"#),
        (Crosspost.self, #"{"canonical_url":"https://example.com/"}"#), (TextLanguage.self, #"{"language":"en"}"#),
        (FallbackURL.self, #"{"url":"https://example.com/"}"#), (ChannelInvite.self, #"{"channel_id":"1"}"#),
        (ChannelMetadata.self, #"{"title":"a","description":"b","tags":["c"]}"#),
        (BroadcastMetadata.self, #"{"title":"a","description":"b"}"#), (BroadcastSubject.self, #"{"subject":"a"}"#),
        (BroadcastIcon.self, #"{"file_id":"1","kind":"image","image_info":{"width":1,"height":2}}"#),
        (BroadcastCover.self, #"{"file_id":"1","url_immediate":"a","url_immediate_expires":"2013-01-01T00:00:00Z"}"#),
        (BroadcastFrequency.self, #"{"avg_freq":"daily","intensity":0.5}"#),
        (PhotoTag.self, #"{"x":50,"y":0.5,"id":"1","username":"alice","name":"Alice","avatar_image":{}}"#),
        (BlogDirectory.self, #"{"url":"https://example.com/"}"#), (HomepageDirectory.self, #"{"url":"a"}"#),
        (FacebookDirectory.self, #"{"id":"1"}"#), (TwitterDirectory.self, #"{"username":"alice"}"#),
        (DisplayDate.self, #"{"date":"2013-06-02T18:51:34Z"}"#),
        (OhaiLocation.self, #"{"id":"a","locality":"b","country_code":"de","other":"c"}"#),
        (PatterSettings.self, #"{"name":"a","blurb":"b","blurb_id":"1","categories":["tech"]}"#),
        (PnutChatSettings.self, #"{"name":"a","description":{"text":"b"},"categories":["c"]}"#),
    ]

    @Test(
        "annotations of the core, of Ohai and of rooms are equal after decoding and encoding their typed forms",
        arguments: values.indices
    )
    func shapes(_ index: Int) throws {
        func check<Value: AnnotationValue & Equatable>(_ type: Value.Type, _ text: String) throws {
            let json = try JSONValue(parsing: text)
            let annotation = Annotation(type: Value.annotationType, value: json)
            let value = try #require(try annotation.decoded(as: type))
            #expect(try Annotation(value) == annotation)
        }
        try check(Self.values[index].type, Self.values[index].json)
    }

    @Test("every core type with a typed form has a schema")
    func schemas() {
        for (type, _) in Self.values where type.annotationType.hasPrefix("net.app.core.") {
            let error = #expect(throws: RuleViolation.self) {
                try AnnotationRules.validate([Annotation(type: type.annotationType, value: [:])], on: .post)
            }
            #expect(error.map { !"\($0)".contains("is not a known type") } == true, "\(type)")
        }
    }

    @Test("a file token is in no description of an annotation")
    func secrets() throws {
        let file = FileReference(id: 1, token: "made-up-write-token")
        let message = Message(
            annotations: [
                .attachments([file]),
                Annotation(type: "a", value: ["b": [["file_token_read": "made-up-read-token", "name": "c"]]]),
            ]
        )
        for text in ["\(message)", String(reflecting: message), "\(file)", "\(message.annotations ?? [])"] {
            #expect(!text.contains("made-up"))
        }
        var dumped = ""
        dump(message, to: &dumped)
        #expect(!dumped.contains("made-up"))
        let last = "\(message.annotations?.last as Any)"
        #expect(last.contains("\"c\""))
        let shared = File(fileToken: "made-up-write-token", readToken: "made-up-read-token")
        #expect(!"\(shared)".contains("made-up"))
    }
}

@Suite("Replacement values of annotations")
struct ReplacementValueTests {
    private let file = FileReference(id: 7, token: "t")

    @Test("a replacement value is encoded as the service accepts it")
    func written() throws {
        func value(_ annotation: Annotation) -> String? { annotation.value?.text(formatting: .sortedMembers) }
        #expect(
            value(.attachments([file]))
                == #"{"+net.app.core.file_list":[{"file_id":"7","file_token":"t","format":"metadata"}]}"#
        )
        #expect(value(.checkin(at: "abc")) == #"{"+net.app.core.place":{"factual_id":"abc"}}"#)
        #expect(
            value(.photoTag(1, x: 50, y: 0.5))
                == #"{"+net.app.core.user":{"format":"basic","user_id":"1"},"x":50.0,"y":0.5}"#
        )
        #expect(
            value(.oembed(file, overrides: OEmbed(title: "not mine to say", providerName: "Example")))
                == #"{"+net.app.core.file":{"file_id":"7","file_token":"t","format":"oembed"},"provider_name":"Example"}"#
        )
        let own = Annotation(
            type: "com.example.x",
            value: ["kept": true],
            replacing: [.user("@alice", format: .full), .files([file], format: .url)]
        )
        #expect(
            value(own)
                == #"{"+net.app.core.file_list":[{"file_id":"7","file_token":"t","format":"url"}],"#
                + #""+net.app.core.user":{"format":"full","user_id":"@alice"},"kept":true}"#
        )
    }

    @Test("replacement values of core types are valid")
    func valid() throws {
        try AnnotationRules.validate(
            [.attachments([file]), .checkin(at: "a"), .photoTag(1, x: 0, y: 100), .oembed(file)],
            on: .post
        )
        try AnnotationRules.validate([.broadcastIcon(file), .broadcastCover(file)], on: .channel(.broadcast))
        #expect(File(id: 7).reference == nil)
        #expect(File(id: 7, fileToken: "t").reference == file)
    }
}
