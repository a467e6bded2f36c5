import HTTPTypes
import HeliumJSON
import HeliumServer
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Translation between the members of pnut.io and App.net", .timeLimit(.minutes(5)))
struct PnutTranslationTests {
    /// A kind, App.net's object, pnut's.
    static let rows: [(PnutObject, appNet: String, pnut: String)] = [
        (
            .message,
            #"{"id":"5","channel_id":"3","thread_id":"5","text":"hi","html":"<span itemscope=\"https://app.net/schemas/Post\">hi</span>","entities":{"mentions":[{"name":"bob","id":"2","pos":0,"len":4}],"hashtags":[{"name":"a","pos":0,"len":2}],"links":[]},"source":{"name":"Helium","link":"https://example.com","client_id":"helium"},"num_replies":2,"machine_only":false,"annotations":[{"type":"net.app.core.oembed","value":{"a":1}},{"type":"com.example.b","value":{}},{"type":"net.app.core.oembed","value":{"a":2}}]}"#,
            #"{"id":"5","channel_id":"3","thread_id":"5","source":{"name":"Helium","url":"https://example.com","id":"helium"},"counts":{"replies":2},"raw":{"io.pnut.core.oembed":[{"a":1},{"a":2}],"com.example.b":[{}]},"content":{"text":"hi","html":"<span itemscope itemtype=\"https://pnut.io/schemas/Post\">hi</span>","entities":{"mentions":[{"text":"bob","id":"2","pos":0,"len":4}],"tags":[{"text":"a","pos":0,"len":2}],"links":[]}},"is_sticky":false}"#
        ),
        (
            .message,
            #"{"id":"5","is_deleted":true,"num_replies":0,"machine_only":false,"entities":{"mentions":[],"hashtags":[],"links":[]}}"#,
            #"{"id":"5","is_deleted":true,"counts":{"replies":0},"is_sticky":false}"#
        ),
        (
            .channel,
            #"{"id":"3","type":"net.patter-app.room","owner":{"id":"1"},"counts":{"messages":4},"readers":{"any_user":true,"public":false,"immutable":false,"user_ids":[],"you":true},"writers":{"any_user":false,"public":false,"immutable":true,"user_ids":["2"],"you":true},"editors":{"any_user":false,"public":false,"immutable":false,"user_ids":[],"you":true},"you_can_edit":true,"is_inactive":false,"marker":{"name":"channel:3"}}"#,
            #"{"id":"3","type":"net.patter-app.room","user":{"id":"1","content":{}},"counts":{"messages":4},"marker":{"name":"channel:3"},"acl":{"read":{"any_user":true,"public":false,"immutable":false,"user_ids":[],"you":true},"write":{"any_user":false,"immutable":true,"user_ids":["2"],"you":true},"full":{"immutable":false,"user_ids":[],"you":true}}}"#
        ),
        (
            .channel,
            #"{"id":"3","type":"net.app.core.pm","owner":{"id":"1"},"writers":{"any_user":false,"public":false,"immutable":true,"user_ids":["2"],"you":true},"is_inactive":true}"#,
            #"{"id":"3","type":"io.pnut.core.pm","is_active":false,"acl":{"write":{"any_user":false,"immutable":true,"user_ids":["1","2"],"you":true}}}"#
        ),
        (
            .user,
            #"{"id":"1","username":"alice","description":{"text":"x","entities":{"mentions":[],"hashtags":[],"links":[]}},"avatar_image":{"url":"u"},"cover_image":{"url":"c"},"counts":{"following":1,"stars":2},"verified_domain":"example.com","canonical_url":"https://alpha.app.net/alice","you_can_subscribe":true}"#,
            #"{"id":"1","username":"alice","counts":{"following":1,"bookmarks":2,"clients":0},"verified":{"domain":"example.com","url":"https://example.com"},"content":{"text":"x","entities":{"mentions":[],"tags":[],"links":[]},"avatar_image":{"url":"u"},"cover_image":{"url":"c"}}}"#
        ),
        (
            .file,
            #"{"id":"1","complete":true,"public":false,"sha1":"00","url":"u","url_expires":"2026-01-01T00:00:00Z","url_short":"s","url_permanent":"p","derived_files":{"image_thumb_200s":{"sha1":"1","url":"t"}}}"#,
            #"{"id":"1","is_complete":true,"is_public":false,"url":"u","url_expires_at":"2026-01-01T00:00:00Z","url_short":"s","derived_files":{"core_image_200s":{"url":"t"}}}"#
        ),
        (
            .post,
            #"{"id":"9","text":"hi","num_stars":1,"num_replies":2,"num_reposts":3,"machine_only":false,"canonical_url":"x","you_starred":true,"starred_by":[{"id":"2"}],"repost_of":{"id":"8","text":"y"}}"#,
            #"{"id":"9","you_bookmarked":true,"bookmarked_by":[{"id":"2","content":{}}],"repost_of":{"id":"8","counts":{"threads":1},"content":{"text":"y"}},"counts":{"bookmarks":1,"replies":2,"reposts":3,"threads":1},"content":{"text":"hi"}}"#
        ),
        (
            .token,
            #"{"scopes":["basic"],"app":{"name":"H","link":"l","client_id":"helium"},"client_id":"helium","storage":{"available":5,"used":2}}"#,
            #"{"scopes":["basic"],"app":{"name":"H","url":"l","id":"helium"},"storage":{"available":5,"total":7}}"#
        ),
        (
            .message,
            #"{"text":"Ä @Bob, @bob","entities":{"mentions":[{"name":"bob","id":"2","pos":2,"len":4},{"name":"bob","id":"2","pos":8,"len":4},{"name":"bob","id":"2","pos":11,"len":4}],"hashtags":[],"links":[]}}"#,
            #"{"content":{"text":"Ä @Bob, @bob","entities":{"mentions":[{"text":"Bob","id":"2","pos":2,"len":4},{"text":"bob","id":"2","pos":8,"len":4},{"text":"bob","id":"2","pos":11,"len":4}],"tags":[],"links":[]}},"is_sticky":false}"#
        ),
        (
            .message,
            #"{"is_deleted":true,"annotations":[{"type":"net.app.core.attachments","value":{"net.app.core.file_list":[{"file_id":"1","complete":true,"public":false,"sha1":"00","url_permanent":"p","url_expires":"e","derived_files":{"image_thumb_200s":{"sha1":"1","url":"t"}}}],"a":"b"}},{"type":"com.example.a","value":{"a":[{"+net.app.core.file":{"file_id":"1"},"net.app.core.x":1}]}}]}"#,
            #"{"is_deleted":true,"raw":{"io.pnut.core.attachments":[{"file_id":"1","is_complete":true,"is_public":false,"url_expires_at":"e","derived_files":{"core_image_200s":{"url":"t"}},"a":"b"}],"com.example.a":[{"a":[{"+io.pnut.core.file":{"file_id":"1"},"net.app.core.x":1}]}]},"is_sticky":false}"#
        ),
        (
            .stream,
            #"{"id":"7","endpoint":"e","type":"long_poll","object_types":["star","user_follow","post"],"filter":{"id":"1"},"key":"mine"}"#,
            #"{"key":"mine","endpoint":"e","type":"long_poll","object_types":["bookmark","follow","post"]}"#
        ),
        (.stream, #"{"id":"7","object_types":[]}"#, #"{"key":"7","object_types":[]}"#),
        (.marker, #"{"name":"unified","id":"4"}"#, #"{"name":"personal","id":"4"}"#),
        (.marker, #"{"name":"mentions:1"}"#, #"{"name":"mentions"}"#),
        (
            .interaction,
            #"{"action":"star","users":[{"id":"2"}],"objects":[{"id":"9","text":"hi"}]}"#,
            #"{"action":"bookmark","users":[{"id":"2","content":{}}],"objects":[{"id":"9","counts":{"threads":1},"content":{"text":"hi"}}]}"#
        ),
        (
            .configuration,
            #"{"text":{},"user":{"text_max_length":256},"post":{"text_max_length":256},"message":{"text_max_length":2048,"annotation_max_bytes":8192}}"#,
            #"{"post":{"max_length":256},"message":{"max_length":2048},"raw":{"max_length":8192},"user":{"max_length":256}}"#
        ),
        (
            .text, #"{"text":"a","html":"b","entities":{"mentions":[],"hashtags":[],"links":[]}}"#,
            #"{"content":{"text":"a","html":"b","entities":{"mentions":[],"tags":[],"links":[]}}}"#
        ),
        (.plain, #"{"text":"a"}"#, #"{"text":"a"}"#),
    ]

    @Test("responses of App.net are translated to the members of pnut.io", arguments: rows)
    func answers(_ kind: PnutObject, _ appNet: String, _ pnut: String) throws {
        let value = try #require(JSONValue.parse(appNet))
        let expected = try #require(JSONValue.parse(pnut))
        #expect(kind.translated(value).text() == expected.text())
        #expect(kind.translated([value, value]) == [expected, expected])
        #expect(kind.translated(3) == 3)
    }

    @Test(
        "request bodies of pnut.io are translated to the members of App.net",
        arguments: [
            (
                .message, #"{"text":"a","raw":{"io.pnut.core.oembed":[{"+io.pnut.core.file":{"file_id":"1"}}]}}"#,
                #"{"text":"a","annotations":[{"type":"net.app.core.oembed","value":{"+net.app.core.file":{"file_id":"1"}}}],"entities":{"parse_links":true,"parse_markdown_links":true}}"#
            ),
            (
                .message, #"{"text":"a","machine_only":true,"entities":{"parse_markdown_links":false}}"#,
                #"{"text":"a","entities":{"parse_markdown_links":false}}"#
            ),
            (
                .channel,
                #"{"type":"io.pnut.core.chat","acl":{"read":{"public":true},"write":{"user_ids":["2"]},"full":{"user_ids":["3"]}},"raw":{"com.example.a":[]}}"#,
                #"{"type":"net.app.core.chat","readers":{"public":true},"writers":{"user_ids":["2"]},"editors":{"user_ids":["3"]},"annotations":[{"type":"com.example.a"}]}"#
            ),
            (
                .user, #"{"name":"A","content":{"text":"b"}}"#,
                #"{"name":"A","description":{"text":"b","entities":{"parse_links":true,"parse_markdown_links":true}}}"#
            ),
            (
                .message,
                #"{"raw":{"com.example.a":[{"a":[{"+io.pnut.core.file":{"file_id":"1"},"io.pnut.core.x":1}]}]}}"#,
                #"{"annotations":[{"type":"com.example.a","value":{"a":[{"+net.app.core.file":{"file_id":"1"},"io.pnut.core.x":1}]}}],"entities":{"parse_links":true,"parse_markdown_links":true}}"#
            ),
            (
                .stream, #"{"object_types":["bookmark","follow","post"],"filter_id":"1","key":"mine"}"#,
                #"{"object_types":["star","user_follow","post"],"key":"mine"}"#
            ),
            (.file, #"{"is_public":true,"name":"a"}"#, #"{"public":true,"name":"a"}"#),
            (
                .markers, #"[{"name":"personal","id":"1","percentage":"50"},{"name":"mentions","id":"2"}]"#,
                #"[{"name":"unified","id":"1","percentage":50},{"name":"mentions:7","id":"2"}]"#
            ),
        ] as [(PnutInput, String, String)]
    )
    func bodies(_ kind: PnutInput, _ pnut: String, _ appNet: String) throws {
        let value = try #require(JSONValue.parse(pnut))
        #expect(kind.translated(value, user: "7").text() == appNet)
    }

    @Test(
        "parameters of pnut.io are translated to the names of App.net",
        arguments: [
            (
                "messages", "include_raw=1&include_user_raw=0",
                ["include_annotations": "1", "include_user_annotations": "0"]
            ),
            ("messages", "count=500&since_id=4", ["since_id": "4"]), ("messages", "count=0", [:]),
            ("messages", "count=-3", ["count": "-3"]),
            (
                "users/me/channels", "channel_types=io.pnut.core.pm,com.example.a",
                ["channel_types": "net.app.core.pm,com.example.a", "include_marker": "1"]
            ),
            // App.net's own names, which pnut.io does not know.
            ("users/me/files", "file_types=net.app.core.oembed", ["file_types": "io.pnut.core.oembed"]),
            (
                "users/me/channels", "channel_types=net.app.core.pm,net.app.core.x&include_marker=0",
                ["channel_types": "io.pnut.core.pm,io.pnut.core.x", "include_marker": "0"]
            ),
            ("channels/1", "", [:]), ("users/me/channels", "include_marker=0", ["include_marker": "0"]),
            (
                "channels/messages/search", "q=a,b&tags=c,d&raw_types=io.pnut.core.oembed&order=relevance",
                [
                    "query": "a,b", "hashtags": "c d", "annotation_types": "net.app.core.oembed", "order": "score",
                ]
            ),
            (
                "channels/search", "channel_types=io.pnut.core.chat&owner_id=3",
                ["type": "net.app.core.chat", "creator_id": "3", "include_marker": "1"]
            ),
            (
                "users/me/interactions", "filters=bookmark,follow",
                ["interaction_actions": "star,follow"]
            ),
            (
                "users/me/interactions", "exclude=bookmark,follow,poll_response",
                ["interaction_actions": "reply,repost"]
            ),
            (
                "posts/1/interactions", "exclude=bookmark,follow,poll_response,reply,repost",
                ["interaction_actions": ","]
            ),
            (
                "users/me/interactions", "exclude=bookmark&filters=repost",
                ["interaction_actions": "repost"]
            ),
            ("channels/messages/search", "q=a", ["query": "a", "order": "score"]),
            ("channels/messages/search", "tags=a", ["hashtags": "a"]),
            (
                "users/me/channels", "exclude_channel_types=io.pnut.core.pm&include_marker=0",
                ["exclude_channel_types": "net.app.core.pm", "include_marker": "0"]
            ),
            ("channels/streams/explore/new", "count=2", ["count": "2", "include_marker": "1"]),
        ]
    )
    func parameters(_ path: String, _ query: String, _ expected: [String: String]) throws {
        let segments = (path == "messages" ? "channels/1/messages" : path).split(separator: "/").map(String.init)
        let route = try PnutRoutes.match(segments, .get).route
        #expect(PnutParameters.translated(FormFields(query: query[...]), for: route).all == expected)
    }
}
