import FuzzSupport
import HeliumServer

// The routes of the embedded server, in process.
extension CostCase {
    /// The cases of all parsers and of the routes of the server.
    static let everything: [CostCase] = all + server + sockets + routes

    static let server: [CostCase] = serverBodies + serverTargets

    private static let serverBodies: [CostCase] = [
        post(
            "server-devices",
            "/demo-auth/v1/devices",
            slots: [#"{"‹›":1}"#, #"{"app":{"id":"‹›"}}"#],
            repeated: [#"{‹"a¤":1,›"b":1}"#]
        ),
        post("server-todo", "/demo-auth/v1/todo", slots: [#"{"name":"‹›"}"#]),
        post(
            "server-oauth",
            "/oauth/access_token",
            type: "application/x-www-form-urlencoded",
            slots: ["‹›=1", "client_id=‹›", "grant_type=password&username=‹›"],
            repeated: ["‹a¤=1&›", "‹%CC%81%CC%96›", "‹&›", "‹=›", "‹+›"]
        ),
        post(
            "server-text",
            "/stream/0/text/process",
            slots: [#"{"text":"‹›"}"#, #"{"text":"‹›","entities":{"parse_markdown_links":true}}"#, #"{"‹›":1}"#],
            repeated: [
                #"{"text":"‹a! ›"}"#, #"{"text":"‹a!›"}"#, #"{"text":"‹a.io!›"}"#, #"{"text":"‹@a ›"}"#,
                #"{"text":"‹#a ›"}"#,
                #"{"text":"‹http:///!›"}"#, #"{"text":"‹a.io ›"}"#,
                #"{"text":"‹[a](http://b) ›","entities":{"parse_markdown_links":true}}"#,
            ]
        ),
        post("server-posts", "/stream/0/posts", slots: [#"{"text":"a","annotations":[{"type":"‹›","value":{}}]}"#]),
        post(
            "server-channels",
            "/stream/0/channels",
            slots: [#"{"type":"‹›"}"#],
            repeated: [#"{"type":"a.b","readers":{"user_ids":[‹"1",›"2"]}}"#]
        ),
        post(
            "server-files",
            "/stream/0/files",
            type: "multipart/form-data; boundary=b",
            slots: [
                "--b\r\nContent-Disposition: form-data; name=\"‹›\"\r\n\r\na\r\n--b--", "--b‹›--b--",
                "--b\r\nContent-Disposition: form-data; filename=\"a\\\"‹›\"; name=a\r\nA‹›b: c\r\n\r\na\r\n--b--",
            ],
            repeated: ["--b\r\n‹\r\n--›", "‹--b\r\n›"]
        ),
        post(
            "server-filters",
            "/stream/0/filters",
            slots: [
                #"{"name":"a","clauses":[{"object_type":"post","field":"/data/‹›/a","operator":"equals","value":"1"}]}"#
            ]
        ),
        post("server-pnut-posts", "/v1/posts", slots: [#"{"text":"‹›"}"#, #"{"text":"a","raw":{"‹›":[]}}"#]),
        post(
            "server-feeds-json",
            "/v2/feeds",
            slots: [#"{"title":"‹›"}"#, #"{"title":"a","tags":["‹›"]}"#, #"{"title":"a","tags":"‹›"}"#, #"{"‹›":1}"#],
            repeated: [
                #"{"title":"a","tags":[‹"t¤",›"a"]}"#, #"{"title":"a","datastreams":[‹{"id":"d¤"},›{"id":"a"}]}"#,
            ]
        ),
        post(
            "server-feeds-xml",
            "/v2/feeds.xml",
            slots: ["<eeml><environment><title>‹›</title></environment></eeml>", "<eeml ‹›", "<eeml a='‹›'/>"],
            repeated: [
                "<eeml ‹a¤='b' ›/>", "‹<a>›", "<eeml>‹<a/>›</eeml>",
                "<eeml><environment><title>‹&#769;&#790;›</title></environment></eeml>",
            ]
        ),
        post(
            "server-readings",
            "/data/",
            slots: [#"[{"ts":"‹›","value":1}]"#, #"[{"‹›":1}]"#, #"[{"ts":1355257680000,"value":‹›}]"#],
            repeated: [
                #"[‹{"ts":¤000,"value":1},›{"ts":0,"value":1}]"#, #"[{‹"ts":1355257680000,›"value":1}]"#,
                "[‹{},›{}]",
            ]
        ),
        post("server-feeds-csv", "/v2/feeds.csv", slots: ["‹›,1", "a,\"‹›\""], repeated: ["‹a¤,1\n›", "‹,›", "‹\n›"]),
    ]

    private static let serverTargets: [CostCase] = [
        get("server-feed-search", "/v2/feeds?q=", repeated: ["‹a+›", "‹w¤+›"]),
        get("server-feed-path", "/v2/feeds/", slots: ["‹›", "1/‹›/a", "1/datastreams/a‹›.json?a=b"]),
        get("server-key-path", "/v2/keys/", slots: ["‹›", "1/‹›/a"]),
        get("server-users", "/stream/0/users/", slots: ["‹›", "1/‹›/a"]),
        get("server-service-path", "/demo-auth/v1/", slots: ["‹›/", "todo/‹›"]),
        get("server-origin", "http://", slots: ["‹›", "a/‹›/a"]),
        CostCase("server-datastreams", slots: ["‹›", "a, ‹›, b"], repeated: ["‹a¤,›", "‹, ›"]) { input in
            guard let offline else { return }
            let fields = fields(offline)
            if await offline.answer("GET", "/v2/feeds/1", fields: fields).status == 404 {
                await offline.answer("POST", "/v2/feeds", fields: fields, body: Array(#"{"title":"a"}"#.utf8))
            }
            let list = String(decoding: input, as: UTF8.self)
            await offline.answer("GET", "/v2/feeds/1?datastreams=\(list)", fields: fields)
        },
        get("server-search", "/stream/0/posts/search?query=", repeated: ["‹a+›", "\"‹a+›\"", "‹%22a%22+›"]),
        get("server-channel-search", "/stream/0/channels/search?q="),
        get("server-ids", "/stream/0/posts?ids=", repeated: ["‹¤,›"]),
        get("server-services", "/demo-auth/v1/services?selection=", repeated: ["‹a,›", "‹{›"]),
        get("server-content", "/appnet-content/"),
        get("server-reading-window", "/data/?start=", repeated: ["‹0›", "‹0&start=›", "0&stop=‹9›&step=60000"]),
        get(
            "server-parameters",
            "/stream/0/posts/stream/global?",
            slots: ["‹›", "a=1&b‹›c=‹›&d"],
            repeated: ["‹a¤=1&›", "‹&›"]
        ),
        CostCase(
            "server-fields",
            slots: ["‹›", "a/b;q=‹›, c", #"a, ‹›, W/"‹›""#, #"a/b; c="‹›"; ‹›d=e"#],
            repeated: ["‹a/b;q=0.1,›", "‹\"a\",›"]
        ) { input in
            let value = String(decoding: input, as: UTF8.self)
            for name in [
                "Accept", "Accept-Encoding", "If-None-Match", "Content-Type", "Authorization", "X-ApiKey", "key",
            ] {
                await offline?.answer("GET", "/v2/feeds", fields: [(name, value)])
                for target in ["/stream/0/posts", "/demo-auth/v1/devices"] {
                    await offline?.answer("POST", target, fields: [(name, value)], body: [0x7B, 0x7D])
                }
            }
        },
    ]

    /// The server that all cases share.
    static let offline = try? OfflineServer()

    private static func post(
        _ name: String,
        _ target: String,
        type: String = "application/json",
        slots: [String],
        repeated: [String] = []
    ) -> CostCase {
        CostCase(name, slots: slots, repeated: repeated) { input in
            guard let offline else { return }
            await offline.answer("POST", target, fields: fields(offline) + [("Content-Type", type)], body: input)
        }
    }

    private static func get(
        _ name: String,
        _ beginning: String,
        slots: [String] = ["‹›"],
        repeated: [String] = []
    ) -> CostCase {
        CostCase(name, slots: slots, repeated: repeated) { input in
            guard let offline else { return }
            await offline.answer("GET", beginning + String(decoding: input, as: UTF8.self), fields: fields(offline))
        }
    }

    /// The header fields with the credentials of both protocols.
    static func fields(_ server: OfflineServer) -> [(String, String)] {
        [("X-ApiKey", server.cosmKey), ("Authorization", "Bearer \(server.userToken)")]
    }
}
