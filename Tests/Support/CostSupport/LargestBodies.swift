import FuzzSupport
import HeliumServer

/// The table of costs: every call of the embedded server with the largest body that it takes, shaped to hurt.
///
/// A request may hold the store, for which all others wait, for 500 milliseconds; above 50 milliseconds it is named. No
/// response may have more than ``maximumAnswer`` bytes, and the response to a write at most ``maximumGrowth`` times the bytes
/// of its body.
enum LargestBodies {
    /// The default of ``ServerLimits/bodyBytes``, which every call accepts.
    private static let bytes = ServerLimits().bodyBytes
    private static let question = Duration.milliseconds(50)
    private static let fault = Duration.milliseconds(500)
    private static let maximumAnswer = 12 * 1024 * 1024
    private static let maximumGrowth = 64

    /// Bodies that are repeated up to the limit.
    private static let shapes = [
        #"{‹"a¤":1,›"text":"a"}"#, #"{"text":"‹a b ›","type":"a.b"}"#, #"[‹{"a":1},›1]"#, "‹a¤=1&›a=1",
        #"{"text":"a","type":"a.b","annotations":[‹{"type":"a.b¤","value":{}},›{"type":"a.b","value":{}}]}"#,
        #"{"type":"a.b","text":"a","annotations":[{"type":"a.b","value":{"c":[‹{"+net.app.core.place":{"factual_id":"¤"}},›1]}}]}"#,
        #"{"type":"a.b","readers":{"user_ids":[‹"1",›"1"]}}"#,
        #"{"text":"‹[a](http://b.example/) ›","entities":{"parse_markdown_links":true}}"#,
        #"{"description":{"text":"‹[a](http://b.example/) ›","entities":{"parse_markdown_links":true}}}"#,
        #"{"text":"a","entities":{"links":[‹{"pos":0,"len":1,"url":"http://a.example/"},›1]}}"#,
        #"{"title":"a","tags":[‹"t¤",›"a"]}"#, #"{"title":"a","datastreams":[‹{"id":"d¤"},›{"id":"a"}]}"#,
    ]

    /// Lists whose responses must be bounded, whatever was stored.
    private static let lists = [
        "/stream/0/posts/stream/global?count=200&include_annotations=1", "/stream/0/users/me?include_annotations=1",
        "/stream/0/users/me/channels?count=200&include_annotations=1", "/stream/0/users/me/files?count=200",
        "/v2/feeds?per_page=1000",
    ]

    /// Measures all calls.
    ///
    /// - Returns: The number of faults.
    static func run() async -> Int {
        let watch = StoreWatch()
        guard let server = try? OfflineServer(watching: watch) else { return 1 }
        var faults = 0
        let calls = (OfflineServer.appNetCalls + CostCase.others).filter { $0.method != "GET" && $0.method != "DELETE" }
        for call in calls {
            // A short body may be accepted where the longest is not. Its response shows how much a text grows.
            for (shape, size) in shapes.flatMap({ shape in [4_096, bytes - 256].map { (shape, $0) } }) {
                let body = Array(CostPattern(shape).input(bytes: size).prefix(bytes))
                let type = shape.contains("=1&") ? "application/x-www-form-urlencoded" : "application/json"
                let fields = CostCase.fields(server) + [("Content-Type", type)]
                _ = watch.take()
                let answer = await server.answer(call.method, call.path, fields: fields, body: body)
                let time = watch.take()
                let isTooLong = answer.body.count > maximumGrowth * body.count
                if time > question || isTooLong {
                    say(
                        "cost: \(call.method) \(call.path) \(CostPattern(shape)): \(time) in the store, \(answer.body.count) bytes"
                    )
                }
                if time > fault || isTooLong { faults += 1 }
            }
        }
        for list in lists {
            let size = await server.answer("GET", list, fields: CostCase.fields(server)).body.count
            guard size > maximumAnswer else { continue }
            say("cost: FOUND GET \(list): a response of \(size) bytes")
            faults += 1
        }
        say("cost: the largest bodies of \(calls.count) calls: \(faults) faults")
        return faults
    }
}
