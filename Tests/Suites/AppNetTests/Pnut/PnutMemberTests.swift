import AppNet
import HeliumJSON
import Testing

/// Tests of the rows of Docs/Protocols/AppNet.md §6.3.
@Suite("Members of pnut.io")
struct PnutMemberTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let type: any AppNetObject.Type
        let appNet: String
        let pnut: String

        init(_ type: any AppNetObject.Type, _ appNet: String, _ pnut: String) {
            (self.type, self.appNet, self.pnut) = (type, appNet, pnut)
        }

        var testDescription: String { "\(type): \(pnut)" }
    }

    static let rows = [
        Row(
            Message.self,
            #"{"annotations":[{"type":"com.example.a","value":{"x":1}},{"type":"com.example.a","value":{"x":2}}]}"#,
            #"{"raw":{"com.example.a":[{"x":1},{"x":2}]}}"#
        ),
        Row(AppNetChannel.self, #"{"annotations":[{"type":"com.example.a"}]}"#, #"{"raw":{"com.example.a":[]}}"#),
        Row(
            AppNetUser.self,
            #"{"annotations":[{"type":"net.app.core.language","value":{"language":"en"}}]}"#,
            #"{"raw":{"io.pnut.core.language":[{"language":"en"}]}}"#
        ),
        Row(
            File.self,
            #"{"annotations":[{"type":"net.app.core.oembed","value":{"+net.app.core.file":{"file_id":"1"}}}]}"#,
            #"{"raw":{"io.pnut.core.oembed":[{"+io.pnut.core.file":{"file_id":"1"}}]}}"#
        ),
        Row(
            Message.self,
            #"{"id":"1","text":"a","html":"b","entities":{"hashtags":[{"name":"t","pos":0,"len":2}],"mentions":["#
                + #"{"name":"alice","id":"2","is_copy":true}],"links":[{"url":"ftp://example.com","title":"E"}]}}"#,
            #"{"id":"1","content":{"text":"a","html":"b","entities":{"tags":[{"text":"t","pos":0,"len":2}],"mentions":["#
                + #"{"text":"alice","id":"2","is_copy":true}],"links":[{"url":"ftp://example.com","title":"E"}]}}}"#
        ),
        Row(Message.self, #"{"id":"1","is_deleted":true}"#, #"{"id":"1","is_deleted":true}"#),
        Row(Entities.self, #"{"hashtags":[{"name":"t"}]}"#, #"{"tags":[{"text":"t"}]}"#),
        Row(
            Message.self,
            #"{"text":"https://example.com/{message_id}"}"#,
            #"{"content":{"text":"https://example.com/{object_id}"}}"#
        ),
        Row(
            Post.self,
            #"{"entities":{"links":[{"url":"https://example.com/{post_id}"}]}}"#,
            #"{"content":{"entities":{"links":[{"url":"https://example.com/{object_id}"}]}}}"#
        ),
        Row(
            Post.self,
            #"{"text":"😀 https://example.com/{post_id} @bob","entities":{"parse_links":true,"links":[],"mentions":["#
                + #"{"name":"bob","pos":32,"len":4}]}}"#,
            #"{"content":{"text":"😀 https://example.com/{object_id} @bob","entities":{"parse_links":true,"links":[],"#
                + #""mentions":[{"text":"bob","pos":34,"len":4}]}}}"#
        ),
        Row(
            Post.self,
            #"{"annotations":[{"type":"net.app.core.oembed","value":{"url":"https://example.com/{post_id}","title":"#
                + #""{post_id}","sources":[{"url":"https://example.com/{post_id}"}]}},{"type":"com.example.a","value":"#
                + #"{"url":"{post_id}"}}]}"#,
            #"{"raw":{"io.pnut.core.oembed":[{"url":"https://example.com/{object_id}","title":"{post_id}","sources":"#
                + #"[{"url":"https://example.com/{object_id}"}]}],"com.example.a":[{"url":"{post_id}"}]}}"#
        ),
        Row(
            Message.self,
            #"{"text":"use {message_id} here","entities":{"links":[{"url":"https://example.com/{message_id}","#
                + #""process_template":false}]}}"#,
            #"{"content":{"text":"use {message_id} here","entities":{"links":[{"url":"https://example.com/{message_id}","#
                + #""process_template":false}]}}}"#
        ),
        Row(
            Post.self,
            #"{"source":{"name":"A","link":"https://example.com","client_id":"c"}}"#,
            #"{"source":{"name":"A","url":"https://example.com","id":"c"}}"#
        ),
        Row(
            AppStream.self,
            #"{"object_types":["post","star","user_follow","x"],"key":"k","id":"k"}"#,
            #"{"object_types":["post","bookmark","follow","x"],"key":"k"}"#
        ),
        Row(Message.self, #"{"num_replies":3}"#, #"{"counts":{"replies":3}}"#),
        Row(
            Post.self,
            #"{"num_replies":1,"num_stars":2,"num_reposts":3,"num_threads":4}"#,
            #"{"counts":{"replies":1,"bookmarks":2,"reposts":3,"threads":4}}"#
        ),
        Row(
            Message.self,
            #"{"is_sticky":false,"is_nsfw":true,"deleted_by":"1","user_id":"2"}"#,
            #"{"is_sticky":false,"is_nsfw":true,"deleted_by":"1","user_id":"2"}"#
        ),
        Row(
            Post.self,
            #"{"you_starred":true,"starred_by":[{"description":{"text":"a"}}],"reposters":[],"is_revised":true,"revision":1}"#,
            #"{"you_bookmarked":true,"bookmarked_by":[{"content":{"text":"a"}}],"reposted_by":[],"is_revised":true,"#
                + #""revision":1}"#
        ),
        Row(
            AppNetChannel.self,
            #"{"owner":{"description":{"text":"a"}},"recent_message":{"text":"b"}}"#,
            #"{"user":{"content":{"text":"a"}},"recent_message":{"content":{"text":"b"}}}"#
        ),
        Row(
            AppNetChannel.self,
            #"{"readers":{"public":true},"writers":{"any_user":true},"editors":{"user_ids":["1"],"you":true}}"#,
            #"{"acl":{"read":{"public":true},"write":{"any_user":true},"full":{"user_ids":["1"],"you":true}}}"#
        ),
        Row(
            AppNetChannel.self,
            #"{"readers":{"users":[{"description":{"text":"a"}}]}}"#,
            #"{"acl":{"read":{"users":[{"content":{"text":"a"}}]}}}"#
        ),
        Row(AppNetChannel.self, #"{"is_inactive":true}"#, #"{"is_active":false}"#),
        Row(
            AppNetChannel.self,
            #"{"recent_deleted_message_id":"1","recent_deleted_message":{"num_replies":0},"created_at":"x","#
                + #""has_sticky_messages":false,"readers":{"users":[]}}"#,
            #"{"recent_deleted_message_id":"1","recent_deleted_message":{"counts":{"replies":0}},"created_at":"x","#
                + #""has_sticky_messages":false,"acl":{"read":{"users":[]}}}"#
        ),
        Row(
            AppNetUser.self,
            #"{"description":{"text":"a","html":"b","entities":{"hashtags":[]},"markdown_text":"c"},"#
                + #""avatar_image":{"url":"d"},"cover_image":{"url":"e"}}"#,
            #"{"content":{"text":"a","html":"b","entities":{"tags":[]},"markdown_text":"c","avatar_image":{"url":"d"},"#
                + #""cover_image":{"url":"e"}}}"#
        ),
        Row(
            AppNetUser.self,
            #"{"verified_domain":"example.com","verified_url":"https://example.com/a"}"#,
            #"{"verified":{"domain":"example.com","url":"https://example.com/a"}}"#
        ),
        Row(AppNetUser.self, #"{"counts":{"stars":1,"clients":2}}"#, #"{"counts":{"bookmarks":1,"clients":2}}"#),
        Row(
            AppNetUser.self,
            #"{"badge":{"id":"1","name":"b"},"presence":"working"}"#,
            #"{"badge":{"id":"1","name":"b"},"presence":"working"}"#
        ),
        Row(
            File.self,
            #"{"complete":true,"public":false,"sha256":"a","url_expires":"b","url_short":"c","kind":"audio","#
                + #""audio_info":{"duration":1}}"#,
            #"{"is_complete":true,"is_public":false,"sha256":"a","url_expires_at":"b","url_short":"c","kind":"audio","#
                + #""audio_info":{"duration":1}}"#
        ),
        Row(
            File.self,
            #"{"derived_files":{"image_thumb_200s":{"url_expires":"a"},"image_thumb_960r":{},"other":{}}}"#,
            #"{"derived_files":{"core_image_200s":{"url_expires_at":"a"},"core_image_960r":{},"other":{}}}"#
        ),
        Row(
            TokenInfo.self,
            #"{"app":{"client_id":"a","link":"b"},"storage":{"available":1,"total":2},"email":"c"}"#,
            #"{"app":{"id":"a","url":"b"},"storage":{"available":1,"total":2},"email":"c"}"#
        ),
        Row(
            ServiceConfiguration.self,
            #"{"post":{"text_max_length":256,"annotation_max_bytes":9},"message":{"text_max_length":2048,"#
                + #""annotation_max_bytes":9},"user":{"annotation_max_bytes":9},"channel":{"annotation_max_bytes":9},"#
                + #""file":{"max_size_bytes":7,"annotation_max_bytes":9},"rate_limit":{}}"#,
            #"{"post":{"max_length":256},"message":{"max_length":2048},"raw":{"max_length":9},"#
                + #""file":{"max_size_bytes":7},"rate_limit":{}}"#
        ),
        Row(StreamMarker.self, #"{"percentage":"7","version":"a"}"#, #"{"percentage":"7","version":"a"}"#),
        Row(
            EventDocument.self,
            #"{"meta":{"type":"star"},"data":{"post":{"text":"a"},"user":{"description":{"text":"b"}}}}"#,
            #"{"meta":{"type":"bookmark"},"data":{"post":{"content":{"text":"a"}},"user":{"content":{"text":"b"}}}}"#
        ),
        Row(
            EventDocument.self,
            #"{"meta":{"type":"user_follow"},"data":{"follows_user":{"counts":{"stars":1}}}}"#,
            #"{"meta":{"type":"follow"},"data":{"followed_user":{"counts":{"bookmarks":1}}}}"#
        ),
        Row(
            EventDocument.self,
            #"{"meta":{"type":"message","channel_name":"a","revision":1},"data":[{"text":"a"}]}"#,
            #"{"meta":{"type":"message","channel_name":"a","revision":1},"data":[{"content":{"text":"a"}}]}"#
        ),
        Row(
            EventDocument.self,
            #"{"meta":{"type":"poll"},"data":{"prompt":"a","annotations":[]}}"#,
            #"{"meta":{"type":"poll"},"data":{"prompt":"a","raw":{}}}"#
        ),
        Row(AppNetChannel.self, #"{"type":"net.app.core.pm"}"#, #"{"type":"io.pnut.core.pm"}"#),
        Row(
            AppNetChannel.self,
            #"{"type":"io.pnut.core.chat","annotations":[{"type":"io.pnut.core.chat-settings","value":{"name":"a"}}]}"#,
            #"{"type":"io.pnut.core.chat","raw":{"io.pnut.core.chat-settings":[{"name":"a"}]}}"#
        ),
        Row(
            Interaction.self,
            #"{"action":"star","users":[{"description":{}}],"objects":[{"num_stars":1}]}"#,
            #"{"action":"bookmark","users":[{"content":{}}],"objects":[{"counts":{"bookmarks":1}}]}"#
        ),
        Row(
            ProcessedText.self,
            #"{"text":"a","entities":{"hashtags":[]}}"#,
            #"{"content":{"text":"a","entities":{"tags":[]}}}"#
        ),
        Row(Place.self, #"{"name":"a"}"#, #"{"name":"a"}"#),
    ]

    @Test("members of pnut.io are translated to those of App.net and back", arguments: rows)
    func row(_ row: Row) throws {
        let appNet = try JSONValue(parsing: row.appNet)
        let pnut = try JSONValue(parsing: row.pnut)
        #expect(try PnutMembers.appNetForm(of: pnut, as: row.type) == appNet)
        #expect(try PnutMembers.pnutForm(of: appNet, as: row.type) == pnut)
        #expect(try PnutMembers.appNetForm(of: [pnut, pnut], as: row.type) == [appNet, appNet])
        #expect(try PnutMembers.appNetForm(of: nil, as: row.type) == nil)
    }

    @Test("members of App.net that pnut.io lacks and that have their default are left out")
    func leftOut() throws {
        let channel = try JSONValue(
            parsing: #"{"is_inactive":false,"you_can_edit":true,"writers":{"public":false,"any_user":true}}"#
        )
        #expect(
            try PnutMembers.pnutForm(of: channel, as: AppNetChannel.self)
                == JSONValue(parsing: #"{"acl":{"write":{"any_user":true}}}"#)
        )
        #expect(try PnutMembers.pnutForm(of: ["machine_only": false], as: Message.self) == [:])
        #expect(try PnutMembers.appNetForm(of: ["is_active": true], as: AppNetChannel.self) == ["is_inactive": false])
    }

    @Test(
        "members of App.net that pnut.io lacks are errors",
        arguments: [
            (Message.self, #"{"machine_only":true}"#), (AppNetChannel.self, #"{"writers":{"public":true}}"#),
            (AppNetChannel.self, #"{"editors":{"any_user":true}}"#),
            (Post.self, #"{"annotations":[{"type":"a","value":{"+net.app.core.place":{"factual_id":"1"}}}]}"#),
            (Post.self, #"{"annotations":[{"type":"a","value":{"b":[{"+net.app.core.file_list":[]}]}}]}"#),
            (Post.self, #"{"annotations":[{"value":{}}]}"#),
        ] as [(any AppNetObject.Type, String)]
    )
    func unsayable(_ type: any AppNetObject.Type, _ text: String) throws {
        let value = try JSONValue(parsing: text)
        #expect(throws: UntranslatableMember.self) { try PnutMembers.pnutForm(of: value, as: type) }
    }

    @Test("members of pnut.io with another type are refused or kept", arguments: AppNetDocumentKind.all)
    func oddShapes(_ kind: AppNetDocumentKind) throws {
        let names = [
            "content", "acl", "counts", "verified", "entities", "source", "user", "meta", "data", "objects", "users",
            "derived_files", "app", "is_active", "raw", "post", "type", "action",
        ]
        for name in names {
            for value: JSONValue in [1, nil, "a", [], [1], [:], ["a": 1], true] {
                do {
                    _ = try PnutMembers.appNetForm(of: .object([name: value]), as: kind.type)
                } catch {
                    #expect(error is UntranslatableMember)
                }
            }
        }
    }

    @Test("requests to pnut.io have the text beside the content")
    func request() throws {
        let form = try PnutMembers.pnutRequest(of: ["text": "a", "reply_to": "1"], as: Message.self)
        #expect(form == ["reply_to": "1", "content": ["text": "a"], "text": "a"])
        #expect(try PnutMembers.pnutRequest(of: ["name": "a"], as: AppNetUser.self) == ["name": "a"])
    }
}
