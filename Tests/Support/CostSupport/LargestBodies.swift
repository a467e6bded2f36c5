import FuzzSupport
import HeliumServer

/// The table of costs: every call of the embedded server with the largest body that it takes, shaped to hurt, and then every
/// call that reads, for what was stored.
///
/// A request may hold the store, for which all others wait, for 500 milliseconds; above 50 milliseconds it is named. It may
/// take ``maximumMemory`` more bytes than the process had. No response may have more than ``maximumAnswer`` bytes, and the
/// response to a write at most ``maximumGrowth`` times the bytes of its body.
struct LargestBodies {
    private static let question = Duration.milliseconds(50)
    private static let fault = Duration.milliseconds(500)
    private static let maximumMemory = 384 * 1024 * 1024
    private static let maximumAnswer = 12 * 1024 * 1024
    private static let maximumGrowth = 64

    /// Whether to send the largest bodies, and to measure times and memory. Without, it sends short bodies and looks at the
    /// sizes of responses only: `make test` does that, because other processes disturb the rest.
    let measures: Bool
    /// Of so many parts of the calls only the one with this index.
    let part: Int
    let parts: Int

    private let watch: StoreWatch
    private let server: OfflineServer
    /// Made once for calls that follow each other.
    private var made: [HurtfulBody.Taker: [HurtfulBody]] = [:]
    private var faults = 0
    private var requests = 0
    private var accepted = 0

    init(measures: Bool, part: Int, of parts: Int) throws {
        (self.measures, self.part, self.parts) = (measures, part, parts)
        watch = StoreWatch()
        server = try OfflineServer(watching: watch)
    }

    /// Every call of all protocols. An id is 1: ``makeObjects()`` creates what has it.
    private static let calls = (OfflineServer.appNetCalls + CostCase.others).map { call in
        // The token is that of user 1, who cannot follow or mute herself.
        (method: call.method, path: call.path.replacing("/users/1/", with: "/users/2/"))
    }

    /// Measures all calls.
    ///
    /// - Returns: The number of faults.
    mutating func run() async -> Int {
        await makeObjects()
        let writes = Self.calls.filter { $0.method != "GET" && $0.method != "DELETE" }
        for (number, call) in writes.enumerated() where number % parts == part {
            let bodies = bodies(for: call.path)
            var statuses: [Int: Int] = [:]
            for body in bodies { statuses[await send(body, to: call), default: 0] += 1 }
            requests += bodies.count
            let counts = statuses.sorted { $0.key < $1.key }.map { "\($0.value) times \($0.key)" }
            say("cost: \(call.method) \(call.path): \(counts.joined(separator: ", "))")
        }
        let reads = Self.calls.filter {
            $0.method == "GET" && !$0.path.contains("/streams") && !$0.path.hasSuffix("/stream")
        }
        for call in reads { await read(call.path) }
        say(
            "cost: \(requests) bodies to \(parts == 1 ? "" : "a share of ")\(writes.count) calls, \(accepted) accepted, "
                + "\(reads.count) reads: \(faults) faults"
        )
        return faults
    }

    /// The bodies for a call, of the limits of the server's default configuration.
    private mutating func bodies(for path: String) -> [HurtfulBody] {
        let taker = HurtfulBody.Taker(path)
        if let made = made[taker] { return made }
        let largest = taker == .upload ? 16 << 20 : ServerLimits().bodyBytes
        let bodies = HurtfulBody.all(for: taker, largest: measures ? largest : 65_536)
        made = [taker: bodies]
        return bodies
    }

    /// Creates what the paths of the calls name.
    private mutating func makeObjects() async {
        let objects = [
            ("/stream/0/posts", #"{"text":"a"}"#), ("/stream/0/channels", #"{"type":"a.b"}"#),
            ("/stream/0/channels/1/messages", #"{"text":"a"}"#), ("/v1/posts", #"{"text":"b"}"#),
            ("/stream/0/filters", #"{"name":"a","match_policy":"include_any","clauses":[\#(HurtfulBody.clause)]}"#),
            ("/stream/0/streams", #"{"object_types":["post"],"type":"long_poll","filter_id":"1","key":"1"}"#),
            ("/v1/polls", #"{"prompt":"a","type":"a.b","duration":60,"options":[{"text":"a"},{"text":"b"}]}"#),
            ("/v2/feeds", #"{"title":"a","datastreams":[{"id":"a"}]}"#), ("/demo-auth/v1/devices", "{}"),
        ]
        for (path, body) in objects {
            let fields = fields(path) + [("Content-Type", "application/json")]
            let answer = await server.answer("POST", path, fields: fields, body: Array(body.utf8))
            guard answer.status >= 300 else { continue }
            // Without it, the calls that name it do nothing.
            faults += 1
            say("cost: FOUND POST \(path): \(String(decoding: answer.body, as: UTF8.self))")
        }
    }

    /// The header fields with the credentials for a path. Streams belong to an app.
    private func fields(_ path: String) -> [(String, String)] {
        path.contains("/streams")
            ? [("Authorization", "Bearer \(server.appToken)")] : CostCase.fields(server)
    }

    /// Returns the status of the response.
    private mutating func send(_ body: HurtfulBody, to call: (method: String, path: String)) async -> Int {
        let fields =
            fields(call.path) + [("Content-Type", body.type)]
            + (body.coding.map { [("Content-Encoding", $0)] } ?? [])
        let before = measures ? PeakMemory.now() : nil
        if measures { PeakMemory.reset() }
        _ = watch.take()
        let answer = await server.answer(call.method, call.path, fields: fields, body: body.bytes)
        let time = watch.take()
        let memory = PeakMemory.growth(since: before)
        if answer.status < 300 { accepted += 1 }
        var found: [String] = []
        if answer.body.count > max(Self.maximumGrowth * body.bytes.count, 65_536) {
            found.append("\(answer.body.count) bytes in the response")
        }
        if measures, time > Self.fault { found.append("\(time) in the store") }
        if let memory, memory > Self.maximumMemory { found.append("\(memory / 1024 / 1024) MiB of memory") }
        let name = "\(call.method) \(call.path) \(body), status \(answer.status)"
        if !found.isEmpty {
            faults += 1
            say("cost: FOUND \(name): \(found.joined(separator: ", "))")
        } else if measures, time > Self.question {
            say("cost: \(name): \(time) in the store")
        }
        return answer.status
    }

    private mutating func read(_ path: String) async {
        let target =
            path + (path.hasPrefix("/v2/") ? "?per_page=1000" : "?count=200&include_annotations=1&include_raw=1")
        _ = watch.take()
        let size = await server.answer("GET", target, fields: fields(path)).body.count
        let time = watch.take()
        guard size > Self.maximumAnswer || measures && time > Self.fault else { return }
        faults += 1
        say("cost: FOUND GET \(target): a response of \(size) bytes, \(time) in the store")
    }
}
