import Foundation
import HeliumDatabase
import HeliumJSON
import HeliumServer
import HeliumServerTesting
import ServerSupport
import Synchronization
import TestSupport
import Testing

@testable import HeliumServerKit
@testable import MiddlewareServer

@Suite("Devices of the middleware server", .timeLimit(.minutes(5)))
struct DeviceTests {
    static let whole = """
        {"culture":{"code":"de-DE"},
         "app":{"id":"de.example.tv","version":"1.6.0","vendor":{"id":"6F9619FF-8B86-D011-B42D-00C04FC964FF"},
                "advertiser":{"id":"00000000-0000-0000-0000-000000000000"}},
         "device":{"group":"phone","model":"iPhone 6s","os":{"type":"iOS","version":"9.2.1"},
                   "carrier":{"type":"Telekom.de"},"screen":{"resolution":"1334x750"},
                   "notification":{"token":"abc","environment":"sandbox"}}}
        """

    @Test("a registration returns a new id, the envelope and the server's time")
    func registers() async throws {
        var configuration = EmbeddedServerConfiguration()
        configuration.middleware.clock = .fixed(milliseconds: 1_455_264_007_123)
        try await withEmbeddedServer(configuration) { running in
            let peer = Peer(running: running)
            let answer = try await peer.post("/demo-auth/v1/devices", Self.whole)
            #expect(answer.status == 200)
            #expect(answer["timestamp"] == "1455264007123")
            #expect(answer["content-type"] == "application/json; charset=utf-8")
            #expect(answer["vary"] == "Accept-Encoding")
            #expect(answer.text.wholeMatch(of: /\{"status":200,"response":\{"id":"[0-9a-f]{32}"\}\}/) != nil)
            #expect(try await running.middleware.deviceCount() == 1)
            #expect(running.middleware.registrations == 1)
            #expect(running.requests.count("POST", "/demo-auth/v1/devices") == 1)
        }
    }

    @Test("a registration without a body has the default of each field")
    func registersWithoutBody() async throws {
        try await withEmbeddedServer { running in
            let peer = Peer(running: running)
            let fields = [("User-Agent", "Mozilla/5.0 (iPad; CPU OS 9_2)")]
            let answer = try await peer.send("POST", "/demo-auth/v1/devices", fields: fields)
            #expect(answer.status == 200)
            guard case .string(let id) = answer.json?["response"]?["id"] else {
                Issue.record("no id")
                return
            }
            let device = try #require(try await running.middleware.state.store.device(id))
            #expect(device.status == .inactive)
            #expect(device.description["culture"]?["code"] == "de-de")
            #expect(device.description["device"]?["group"] == "tablet")
            #expect(device.description["device"]?["os"]?["type"] == "iOS")
        }
    }

    @Test(
        "an invalid field of a device is refused with the code and text of its rule",
        arguments: [
            (#"{"culture":{"code":"en"}}"#, "MinLengthUnderachieved", "culture.code length is less than 5 chars"),
            (#"{"culture":{"code":"zh-Hans"}}"#, "MaxLengthExceeded", "culture.code length is more than 5 chars"),
            (
                #"{"culture":{"code":"de_DE"}}"#, "PatternMismatch",
                "culture.code value does not match the required pattern"
            ),
            (
                #"{"culture":{"code":"12-34"}}"#, "PatternMismatch",
                "culture.code value does not match the required pattern"
            ),
            (
                #"{"culture":{"code":null}}"#, "UnexpectedType",
                "culture.code is unexpected type. null given string expected"
            ),
            (
                #"{"device":{"group":""}}"#, "ValueNotAllowed",
                "device.group value '' is not allowed. Use one of the following values: phone,tablet,tv,desktop"
            ),
            (
                #"{"device":{"notification":{"environment":""}}}"#, "ValueNotAllowed",
                "device.notification.environment value '' is not allowed. Use one of the following values: "
                    + "sandbox,production"
            ),
            (
                #"{"device":{"screen":{"resolution":"abc1334x750def"}}}"#, "PatternMismatch",
                "device.screen.resolution value does not match the required pattern"
            ),
            (#"{"app":"a"}"#, "UnexpectedType", "app is unexpected type. string given object expected"),
            (#"{"app":{"id":"abcd"}}"#, "MinLengthUnderachieved", "app.id length is less than 5 chars"),
            (#"{"app":{"id":""}}"#, "MinLengthUnderachieved", "app.id length is less than 5 chars"),
            (#"{"app":{"version":"1.6.0.12"}}"#, "MaxLengthExceeded", "app.version length is more than 7 chars"),
            (
                #"{"app":{"version":"1.2000"}}"#, "PatternMismatch",
                "app.version value does not match the required pattern"
            ),
            (
                #"{"app":{"version":"1..2"}}"#, "PatternMismatch",
                "app.version value does not match the required pattern"
            ),
            (
                #"{"app":{"vendor":{"id":"1234"}}}"#, "MinLengthUnderachieved",
                "app.vendor.id length is less than 5 chars"
            ),
            (
                #"{"device":{"group":"watch"}}"#, "ValueNotAllowed",
                "device.group value 'watch' is not allowed. Use one of the following values: phone,tablet,tv,desktop"
            ),
            (
                #"{"device":{"carrier":{"type":""}}}"#, "MinLengthUnderachieved",
                "device.carrier.type length is less than 1 chars"
            ),
            (
                #"{"device":{"os":{"type":"x"}}}"#, "MinLengthUnderachieved",
                "device.os.type length is less than 2 chars"
            ),
            (
                #"{"device":{"screen":{"resolution":"big"}}}"#, "PatternMismatch",
                "device.screen.resolution value does not match the required pattern"
            ),
            (
                #"{"device":{"notification":{"token":"a","environment":"test"}}}"#, "ValueNotAllowed",
                "device.notification.environment value 'test' is not allowed. Use one of the following values: "
                    + "sandbox,production"
            ),
            (
                #"{"device":{"model":["x"]}}"#, "UnexpectedType",
                "device.model is unexpected type. array given string expected"
            ),
        ]
    )
    func refusesField(_ body: String, _ code: String, _ message: String) async throws {
        try await withEmbeddedServer { running in
            let answer = try await Peer(running: running).post("/demo-auth/v1/devices", body)
            #expect(answer.status == 400)
            #expect(answer["timestamp"] == nil)
            #expect(answer.codes == [code])
            guard case .array(let errors) = answer.json?["errors"], let error = errors.first else {
                Issue.record("no errors")
                return
            }
            #expect(error["msg"] == .string(message))
            #expect(error["in"] == "body")
            #expect(error["id"] == .string(String(message.prefix { $0 != " " })))
            #expect(try await running.middleware.deviceCount() == 0)
        }
    }

    @Test("all violations of a device's rules are reported at once, one for each field")
    func refusesAllAtOnce() async throws {
        try await withEmbeddedServer { running in
            let body = #"{"culture":{"code":"e"},"app":{"id":"x","version":"abcdefghij"},"device":{"group":"car"}}"#
            let answer = try await Peer(running: running).post("/demo-auth/v1/devices", body)
            #expect(
                answer.codes == [
                    "MinLengthUnderachieved", "MinLengthUnderachieved", "MaxLengthExceeded", "ValueNotAllowed",
                ]
            )
        }
    }

    @Test("numbers in a device become text, group names are read without letter case, and unknown fields dropped")
    func converts() async throws {
        try await withEmbeddedServer { running in
            let peer = Peer(running: running)
            let body = #"{"app":{"version":1.5},"device":{"group":"TV","model":6},"colour":"red"}"#
            let id = try await peer.register(body)
            let device = try #require(try await running.middleware.state.store.device(id))
            #expect(device.description["app"]?["version"] == "1.5")
            #expect(device.description["device"]?["model"] == "6")
            #expect(device.description["device"]?["group"] == "tv")
            #expect(device.description["colour"] == nil)
        }
    }

    @Test("a short User-Agent fails the registration with an empty error", arguments: ["", "abcd"])
    func refusesShortUserAgent(_ agent: String) async throws {
        try await withEmbeddedServer { running in
            let fields = [("Content-Type", "application/json"), ("User-Agent", agent)]
            let answer = try await Peer(running: running)
                .send("POST", "/demo-auth/v1/devices", fields: fields, body: Array("{}".utf8))
            #expect(answer.status == 400)
            #expect(answer.text == #"{"status":400,"errors":[{}]}"#)
        }
    }

    @Test(
        "a device without a User-Agent, or with a culture or device of another type, is accepted",
        arguments: ["POST", "PUT"]
    )
    func toleratesMissingParts(_ method: String) async throws {
        try await withEmbeddedServer { running in
            let peer = Peer(running: running)
            let id = try await peer.register()
            let target = method == "POST" ? "/demo-auth/v1/devices" : "/demo-auth/v1/devices/\(id)"
            for json in ["{}", #"{"culture":"de-DE"}"#, #"{"device":5,"app":{"id":"com.example"}}"#] {
                let key = peer.key(method, target, device: id, json: json)
                let fields = [("Content-Type", "application/json"), ("key", key)]
                let answer = try await peer.send(method, target, fields: fields, body: Array(json.utf8))
                #expect(answer.status == 200, "\(json): \(answer.text)")
            }
        }
    }

    @Test("an update of a device changes the fields that it has and keeps the others")
    func updates() async throws {
        try await withEmbeddedServer { running in
            let peer = Peer(running: running)
            let id = try await peer.register(Self.whole)
            let target = "/demo-auth/v1/devices/\(id)"
            let answer = try await peer.signed("PUT", target, device: id, json: #"{"culture":{"code":"en-GB"}}"#)
            #expect(answer.status == 200)
            #expect(answer.json?["response"]?["id"] == .string(id))
            let device = try #require(try await running.middleware.state.store.device(id))
            #expect(device.description["culture"]?["code"] == "en-GB")
            #expect(device.description["app"]?["id"] == "de.example.tv")
            #expect(running.requests.count("PUT", "/demo-auth/v1/devices/:id") == 1)
        }
    }

    @Test("an update of a device without a change has the same response as any other")
    func updatesNothing() async throws {
        try await withEmbeddedServer { running in
            let peer = Peer(running: running)
            let id = try await peer.register(Self.whole)
            let own = "/demo-auth/v1/devices/\(id)"
            let before = try await running.middleware.state.store.device(id)?.description
            #expect(try await peer.signed("PUT", own, device: id).status == 200)
            for json in ["{}", #"{"colour":"red"}"#] {
                #expect(try await peer.signed("PUT", own, device: id, json: json).status == 200)
            }
            #expect(try await running.middleware.state.store.device(id)?.description == before)
        }
    }

    @Test("an update of a device needs its own path and an id in the path")
    func refusesUpdates() async throws {
        try await withEmbeddedServer { running in
            let peer = Peer(running: running)
            let id = try await peer.register()
            let other = try await peer.register()
            let body = #"{"culture":{"code":"en-GB"}}"#
            let foreign = try await peer.signed("PUT", "/demo-auth/v1/devices/\(other)", device: id, json: body)
            #expect(foreign.text == #"{"status":403,"errors":[{}]}"#)
            let short = try await peer.signed("PUT", "/demo-auth/v1/devices/abc", device: id, json: body)
            #expect(short.status == 400)
            #expect(short.codes == ["MinLengthUnderachieved"])
        }
    }

    @Test("the first valid key activates a device, and a disabled device is refused")
    func activates() async throws {
        try await withEmbeddedServer { running in
            let peer = Peer(running: running)
            let id = try await peer.register()
            let store = running.middleware.state.store
            #expect(try await store.device(id)?.status == .inactive)
            #expect(try await peer.signed("GET", "/demo-auth/v1/todo", device: id).status == 200)
            #expect(try await store.device(id)?.status == .active)
            #expect(try await running.middleware.setDevice(id, isEnabled: false))
            let refused = try await peer.signed("GET", "/demo-auth/v1/todo", device: id)
            #expect(refused.status == 403)
            #expect(refused.codes == ["TemporaryDisabled"])
        }
    }

    @Test("the date of a device's last use changes at most once a day")
    func refreshesOncePerDay() {
        let day: Int64 = 24 * 3600 * 1000
        var device = KeyVerifierTests.device("a", .active)
        device.lastModified = 1000
        #expect(device.used(at: 1000 + day - 1) == nil)
        #expect(device.used(at: 1000 + day)?.lastModified == 1000 + day)
    }

    @Test("a clean-up deletes devices that are inactive for an hour or unused for a year")
    func expires() async throws {
        let now = Mutex<Int64>(1_455_264_007_000)
        let hour: Int64 = 3_600_000
        var configuration = EmbeddedServerConfiguration()
        configuration.middleware.clock = ServerClock { now.withLock { $0 } }
        try await withEmbeddedServer(configuration) { running in
            let peer = Peer(running: running)
            let used = try await peer.register()
            _ = try await peer.register()
            let seconds = Int(now.withLock { $0 } / 1000)
            let first = try await peer.signed("GET", "/demo-auth/v1/todo", device: used, at: seconds)
            #expect(first.status == 200)
            now.withLock { $0 += hour - 1 }
            #expect(try await running.middleware.deleteExpiredDevices() == 0)
            now.withLock { $0 += 1 }
            #expect(try await running.middleware.deleteExpiredDevices() == 1)
            #expect(try await running.middleware.deviceCount() == 1)
            now.withLock { $0 += 365 * 24 * hour }
            #expect(try await running.middleware.deleteExpiredDevices() == 1)
            let later = Int(now.withLock { $0 } / 1000)
            let gone = try await peer.signed("GET", "/demo-auth/v1/todo", device: used, at: later)
            #expect(gone.codes == ["DeviceIdInvalid"])
        }
    }

    @Test("a device beyond the limit replaces the one that was unused longest", arguments: [false, true])
    func bounded(inFile: Bool) async throws {
        try await withStore(inFile: inFile) { store in
            for (number, age) in [("a", 30), ("b", 10), ("c", 20)] {
                var device = KeyVerifierTests.device(number)
                device.lastModified = Int64(age)
                try await store.insert(device, maximum: 3)
            }
            var latest = KeyVerifierTests.device("d")
            latest.lastModified = 40
            try await store.insert(latest, maximum: 3)
            #expect(try await store.deviceCount() == 3)
            #expect(try await store.device("b") == nil)
            #expect(try await store.device("d") == latest)
        }
    }

    @Test("a device beyond the limit replaces one that was never used, so that registrations do not remove used ones")
    func boundedUnused() async throws {
        try await withStore(inFile: false) { store in
            for (number, age, status) in [("a", 1, DeviceRecord.Status.active), ("b", 2, .disabled)] {
                var device = KeyVerifierTests.device(number)
                device.lastModified = Int64(age)
                device.status = status
                try await store.insert(device, maximum: 4)
            }
            for number in 10..<30 {
                var device = KeyVerifierTests.device("\(number)")
                device.lastModified = Int64(number)
                device.status = .inactive
                try await store.insert(device, maximum: 4)
            }
            #expect(try await store.deviceCount() == 4)
            for kept in ["a", "b", "28", "29"] { #expect(try await store.device(kept) != nil, "\(kept)") }
        }
    }

    /// Stores a device with the time of its registration.
    private func save(
        _ id: String,
        at time: Int,
        _ status: DeviceRecord.Status = .inactive,
        from client: String = "",
        in store: MiddlewareStore,
        maximum: Int
    ) async throws {
        var device = KeyVerifierTests.device(id)
        device.lastModified = Int64(time)
        device.status = status
        device.client = client
        try await store.insert(device, maximum: maximum)
    }

    @Test("a registration never deletes a device that was used, also if all devices are")
    func keepsUsed() async throws {
        try await withStore(inFile: false) { store in
            let used = (0..<4).map { "used\($0)" }
            for id in used { try await save(id, at: 0, .active, in: store, maximum: 4) }
            for number in 1...50 {
                try await save("\(number)", at: number, from: "\(number)", in: store, maximum: 4)
                #expect(try await store.device("\(number)") != nil)
                #expect(try await store.deviceCount() == 5)
            }
            for id in used { #expect(try await store.device(id) != nil) }
        }
    }

    @Test("a client that registers again and again deletes its own devices, and not those of other clients")
    func shares() async throws {
        try await withStore(inFile: false) { store in
            for client in ["x", "y", "z"] {
                try await save(client, at: 0, from: client, in: store, maximum: 8)
            }
            for number in 1...50 { try await save("\(number)", at: number, from: "z", in: store, maximum: 8) }
            #expect(try await store.deviceCount() == 8)
            for kept in ["x", "y", "45", "50"] { #expect(try await store.device(kept) != nil, "\(kept)") }
            for deleted in ["z", "44"] { #expect(try await store.device(deleted) == nil, "\(deleted)") }
            // Many clients with a device each delete the oldest one.
            for number in 1...8 { try await save("c\(number)", at: 100, from: "c\(number)", in: store, maximum: 8) }
            #expect(try await store.deviceCount() == 8)
            #expect(try await store.device("x") == nil)
            #expect(try await store.device("c8") != nil)
        }
    }

    @Test("the first use of a device beyond the limit deletes the used one that was unused longest")
    func firstUse() async throws {
        try await withStore(inFile: false) { store in
            try await save("a", at: 1, .active, in: store, maximum: 2)
            try await save("b", at: 2, .disabled, in: store, maximum: 2)
            try await save("c", at: 3, from: "x", in: store, maximum: 2)
            let used = try await store.updateDevice("c", maximum: 2) { device in
                if let used = device.used(at: 4) { device = used }
            }
            #expect(used?.status == .active)
            #expect(used?.client.isEmpty == true)
            #expect(try await store.device("a") == nil)
            for kept in ["b", "c"] { #expect(try await store.device(kept) != nil) }
        }
    }

    @Test("registrations of an address are limited in time, and signed requests are not")
    func limitsRegistrations() async throws {
        var configuration = EmbeddedServerConfiguration()
        configuration.middleware.clock = .fixed(milliseconds: 1_455_264_007_123)
        configuration.middleware.registrationLimit = MiddlewareRateLimit(requests: 2, minutes: 1)
        try await withEmbeddedServer(configuration) { running in
            let peer = Peer(running: running)
            let id = try await peer.register()
            _ = try await peer.register()
            let refused = try await peer.post("/demo-auth/v1/devices", "{}")
            #expect(refused.status == 429)
            #expect(refused.codes == ["RateLimitExceeded"])
            #expect(refused["x-rate-limit-limit"] == "2")
            #expect(try await running.middleware.deviceCount() == 2)
            for _ in 0..<3 {
                let answer = try await peer.signed("GET", "/demo-auth/v1/todo", device: id, at: 1_455_264_007)
                #expect(answer.status == 200)
            }
        }
    }
}

/// Runs `body` with an empty store of either kind.
func withStore(inFile: Bool, _ body: (MiddlewareStore) async throws -> Void) async throws {
    try await withTemporaryFolder { folder in
        let path = inFile ? folder.appendingPathComponent("store.sqlite").path : nil
        let store = try ServerStore(path: path, protocols: [MiddlewareService.self])
        try await body(MiddlewareStore(DatabaseAccess(try store.database(MiddlewareService.self))))
    }
}
