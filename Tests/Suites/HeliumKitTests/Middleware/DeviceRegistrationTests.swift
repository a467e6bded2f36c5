import Foundation
import HTTPTypes
import HeliumKit
import HeliumTesting
import Synchronization
import Testing

@Suite("Registration of devices", .timeLimit(.minutes(5)))
struct DeviceRegistrationTests {
    private let clock = TestClock()
    private var fake: FakeMiddleware { FakeMiddleware(clock: clock) }

    @Test("a device is registered once, before the first request, and stored")
    func once() async throws {
        let fake = fake
        let store = MemoryTokenStore()
        let helium = try makeHelium(fake, store: store)
        #expect(fake[\.posts] == 0)
        for _ in 0..<3 { #expect(try await helium.get("/a", returning: Reply.self).value().ok) }
        #expect(fake[\.posts] == 1)
        // Another client, as after a restart: the stored token is used.
        let second = try makeHelium(fake, store: store)
        _ = try await second.get("/a", returning: Reply.self).value()
        #expect(fake[\.posts] == 1 && fake[\.puts] == 0)
    }

    @Test("a changed description of a device is sent with a PUT, and only a 2xx counts")
    func update() async throws {
        let fake = fake
        let store = MemoryTokenStore()
        try await makeHelium(fake, store: store).get("/a").value()
        fake[\.updateFaults] = [FakeMiddleware.failure(500, "InternalServerError")]
        let changed = try makeHelium(fake, store: store, info: DeviceInfo(culture: "en-GB"))
        // The token is good: the request goes on, the update is tried again after a pause.
        try await changed.get("/a").value()
        #expect(fake[\.puts] == 1)
        try await changed.get("/a").value()
        #expect(fake[\.puts] == 1)
        clock.advance(by: .seconds(31))
        try await changed.device?.register()
        try await changed.get("/a").value()
        #expect(fake[\.posts] == 1)
        let third = try makeHelium(fake, store: store, info: DeviceInfo(culture: "en-GB"))
        try await third.device?.register()
        #expect(fake[\.puts] == 2)
    }

    @Test("a refused registration keeps its status if its body can't be read")
    func interruptedRefusal() async throws {
        let fake = fake
        let cut = TransportFailure(.connectionLost, delivery: .answered, message: "cut")
        fake[\.registrationFaults] = [.streaming(["{"], status: 400, failure: cut)]
        let helium = try makeHelium(fake)
        let device = try #require(helium.device)
        let error = try await failure(of: { try await device.register() })
        #expect(error.kind == .registrationFailed && error.status == 400 && error.delivery == .answered)
        #expect(fake[\.posts] == 1)
    }

    @Test("a refused update of a device is an error for its caller")
    func refusedUpdate() async throws {
        let fake = fake
        let helium = try makeHelium(fake)
        let device = try #require(helium.device)
        try await device.register()
        fake[\.updateFaults] = [FakeMiddleware.failure(400, "MinLengthUnderachieved")]
        let error = try await failure(of: { try await device.update() })
        #expect(error.kind == .registrationFailed && error.status == 400)
        #expect(error.serverErrors.map(\.code) == ["MinLengthUnderachieved"])
        #expect(!error.description.contains("aaaaaaaa"))
    }

    @Test("a token that the server forgot is replaced once")
    func forgotten() async throws {
        let fake = fake
        let helium = try makeHelium(fake)
        try await helium.get("/a").value()
        fake[\.devices] = []
        let response = try await helium.get("/a", returning: Reply.self).response()
        #expect(response.attempts.map(\.retryReason) == [.credentialReplaced, nil])
        #expect(fake[\.posts] == 2)
    }

    @Test("a device is not registered again after one replacement")
    func givesUp() async throws {
        let fake = fake
        let helium = try makeHelium(fake)
        let refusal = FakeMiddleware.failure(401, "DeviceIdInvalid")
        fake[\.requestFaults] = [refusal, refusal, refusal]
        let error = try await failure(of: { try await helium.get("/a").value() })
        #expect(error.status == 401 && error.attempts.count == 2 && fake[\.posts] == 2)
    }

    @Test("KeyInvalid does not replace a token of this device")
    func keyInvalid() async throws {
        let fake = fake
        let store = MemoryTokenStore()
        let helium = try makeHelium(fake, store: store)
        fake[\.requestFaults] = [FakeMiddleware.failure(401, "KeyInvalid")]
        let error = try await failure(of: { try await helium.get("/a").value() })
        #expect(error.attempts.count == 1 && fake[\.posts] == 1)
        // An unconfirmed token from the store is replaced.
        fake[\.requestFaults] = [FakeMiddleware.failure(401, "KeyInvalid")]
        try await makeHelium(fake, store: store).get("/a").value()
        #expect(fake[\.posts] == 2)
        // Once accepted, it is confirmed.
        let third = try makeHelium(fake, store: store)
        try await third.get("/a").value()
        fake[\.requestFaults] = [FakeMiddleware.failure(401, "KeyInvalid")]
        _ = try await failure(of: { try await third.get("/a").value() })
        #expect(fake[\.posts] == 2)
    }

    @Test("all errors of a response are checked, and not only the first")
    func allErrors() async throws {
        let fake = fake
        let helium = try makeHelium(fake)
        fake[\.requestFaults] = [
            .json(#"{"status":401,"errors":[{"code":"X"},{},{"code":"DeviceIdInvalid"}]}"#, status: 401)
        ]
        #expect(try await helium.get("/a").response().attempts.count == 2)
    }

    @Test("a 401 without JSON is an error at once", arguments: ["<html>no</html>", "", "[1]"])
    func html(body: String) async throws {
        let fake = fake
        let helium = try makeHelium(fake)
        fake[\.requestFaults] = [
            TransportResponse(head: ResponseHead(status: 401, fields: [:]), body: .collected(Data(body.utf8)))
        ]
        let error = try await failure(of: { try await helium.get("/a").value() })
        #expect(error.status == 401 && error.attempts.count == 1)
    }

    @Test(
        "a registration without a usable id is a typed error, and the next call tries again after a delay",
        arguments: [
            #"{"status":200,"response":{"id":"short"}}"#, #"{"status":200}"#, "<html>", "",
            #"{"status":200,"response":{"id":17}}"#,
        ]
    )
    func badReply(body: String) async throws {
        let fake = fake
        let helium = try makeHelium(fake)
        fake[\.registrationFaults] = [.json(body)]
        let error = try await failure(of: { try await helium.get("/a").value() })
        // The request itself did not leave, whatever became of the registration.
        #expect(error.kind == .registrationFailed && error.delivery == .notSent && error.status == nil)
        #expect(error.request.url.hasSuffix("/a") && error.attempts.isEmpty)
        let cause = try #require(error.underlying as? HeliumError)
        #expect(cause.delivery == .answered && cause.status == 200 && cause.request.url.hasSuffix("/devices"))
        async let next: Void = helium.get("/a").value()
        await clock.waitForSleepers()
        #expect(fake[\.posts] == 1)
        clock.advance(by: .milliseconds(500))
        try await next
        #expect(fake[\.posts] == 2)
    }

    @Test("a failed registration has the server's violations")
    func violations() async throws {
        let fake = fake
        let helium = try makeHelium(fake)
        fake[\.registrationFaults] = [
            .json(#"{"status":400,"errors":[{"code":"PatternMismatch","id":"app.version","in":"body"}]}"#, status: 400)
        ]
        let error = try await failure(of: { try await helium.device?.register() })
        #expect(error.kind == .registrationFailed && error.status == 400)
        #expect(error.serverErrors == [ServerError(code: "PatternMismatch", id: "app.version", location: "body")])
    }

    @Test("a call that cannot wait for the delay after a failed registration gets its cause at once")
    func pauseTooLong() async throws {
        let fake = fake
        let helium = try makeHelium(fake)
        fake[\.registrationFaults] = [FakeMiddleware.failure(503, "Busy")]
        _ = try await failure(of: { try await helium.get("/a").value() })
        let error = try await failure(of: { try await helium.get("/a").timeout(.milliseconds(100)).value() })
        #expect(error.kind == .registrationFailed && (error.underlying as? HeliumError)?.status == 503)
        #expect(fake[\.posts] == 1)
    }

    @Test(
        "an invalid token in a store is not used",
        arguments: [
            DeviceRegistration(token: "short", clockOffset: .zero),
            DeviceRegistration(token: String(repeating: "z", count: 32), clockOffset: .zero),
            DeviceRegistration(token: nil, clockOffset: .seconds(Int64.max)),
        ]
    )
    func strangeStore(stored: DeviceRegistration) async throws {
        let fake = fake
        let store = MemoryTokenStore()
        let devices = try #require(URL(string: "https://api.example.com/devices"))
        await store.save(stored, for: TokenStoreKey(devicesURL: devices, secretID: secretID))
        let response = try await makeHelium(fake, store: store).get("/a").response()
        #expect(response.attempts.count == 1 && fake[\.posts] == 1)
    }

    @Test("a token store that fails is a typed error, and nothing is sent")
    func failingStore() async throws {
        struct Broken: TokenStore {
            struct Failure: Error {}
            func load(_ key: TokenStoreKey) async throws -> DeviceRegistration? { throw Failure() }
            func save(_ registration: DeviceRegistration, for key: TokenStoreKey) async throws { throw Failure() }
            func clear(token: String, for key: TokenStoreKey) async throws -> Bool { throw Failure() }
            func remove(_ key: TokenStoreKey) async throws { throw Failure() }
        }
        let fake = fake
        let error = try await failure(of: { try await makeHelium(fake, store: Broken()).get("/a").value() })
        #expect(error.kind == .tokenStoreFailed && error.delivery == .notSent && error.message.contains("Failure"))
        #expect(fake[\.posts] == 0)
    }

    @Test("a token store that cannot be written fails the calls before a device is registered")
    func unwritableStore() async throws {
        let fake = fake
        for _ in 0..<2 {
            let helium = try makeHelium(fake, store: FileTokenStore(at: "/nowhere/tokens.json"))
            for _ in 0..<2 {
                let error = try await failure(of: { try await helium.get("/a").timeout(.milliseconds(100)).value() })
                #expect(error.kind == .tokenStoreFailed && error.delivery == .notSent)
            }
        }
        #expect(fake[\.posts] == 0)
    }

    @Test("a token that could not be stored is used and stored later, without another device")
    func unsavedToken() async throws {
        let fake = fake
        let store = ForgetfulStore(failurePolicy: .fail)
        let helium = try makeHelium(fake, store: store)
        for _ in 0..<2 {
            let error = try await failure(of: { try await helium.get("/a").timeout(.milliseconds(100)).value() })
            #expect(error.kind == .tokenStoreFailed)
        }
        store.isFull.store(false, ordering: .relaxed)
        clock.advance(by: .seconds(31))
        try await helium.get("/a").value()
        #expect(fake[\.posts] == 1)
    }

    @Test("a store that starts afresh lets calls continue with a token that it cannot keep")
    func startsAfresh() async throws {
        let fake = fake
        let helium = try makeHelium(fake, store: ForgetfulStore(failurePolicy: .startAfresh))
        for _ in 0..<3 { try await helium.get("/a").value() }
        #expect(fake[\.posts] == 1)
    }

    @Test("a store that starts afresh and always fails lets calls continue")
    func brokenStore() async throws {
        let fake = fake
        let store = ForgetfulStore(failurePolicy: .startAfresh)
        store.isBroken.store(true, ordering: .relaxed)
        let helium = try makeHelium(fake, store: store)
        try await helium.get("/a").value()
        fake[\.devices] = []
        try await helium.get("/a").value()
        #expect(fake[\.posts] == 2)
    }

    @Test("a token that a server quotes is masked, also a replaced one")
    func quotedTokens() async throws {
        let fake = fake
        let store = MemoryTokenStore()
        try await makeHelium(fake, store: store).get("/a").value()
        let old = try #require(fake[\.devices].first)
        func quoting(_ token: String) -> TransportResponse {
            let body = #"{"status":400,"errors":[{"code":"Bad","msg":"device \#(token)"}]}"#
            return .json(body, status: 400, fields: [.location: "/devices/\(token)"])
        }
        let changed = try makeHelium(fake, store: store, info: DeviceInfo(culture: "en-GB"))
        fake[\.updateFaults] = [quoting(old)]
        let refused = try await failure(of: { try await changed.device?.update() })
        #expect(refused.status == 400 && refused.serverErrors.first?.message == "device [redacted]")
        #expect(!"\(refused) \(String(describing: refused.head))".contains(old))
        // The server forgets the device: the token is replaced, and quoted after that.
        fake[\.devices] = []
        try await changed.get("/a").value()
        fake[\.requestFaults] = [quoting(old)]
        let late = try await failure(of: { try await changed.get("/a").value() })
        #expect(late.status == 400 && fake[\.devices].first != old)
        #expect(!"\(late) \(String(describing: late.head)) \(late.bodyExcerpt ?? "")".contains(old))
    }

    @Test("the last four replaced tokens are masked")
    func formerTokens() async throws {
        let fake = fake
        let helium = try makeHelium(fake)
        let device = try #require(helium.device)
        var tokens: [String] = []
        for number in 0..<4 {
            try await helium.get("/a").value()
            tokens.append(try #require(try await device.registration()?.token))
            if number.isMultiple(of: 2) { try await device.forget() } else { fake[\.devices] = [] }
        }
        try await helium.get("/a").value()
        tokens.append(try #require(try await device.registration()?.token))
        #expect(Set(tokens).count == 5)
        for token in tokens {
            fake[\.requestFaults] = [
                .json(#"{"status":400,"errors":[{"code":"Bad","msg":"device \#(token)"}]}"#, status: 400)
            ]
            let error = try await failure(of: { try await helium.get("/a").value() })
            #expect(error.serverErrors.first?.message == "device [redacted]")
            #expect(!"\(error) \(error.bodyExcerpt ?? "")".contains(token))
        }
    }

    @Test("the registration of a device can be deleted")
    func forget() async throws {
        let fake = fake
        let helium = try makeHelium(fake)
        let device = try #require(helium.device)
        #expect(try await device.registration() == nil)
        try await helium.get("/a").value()
        #expect(try await device.registration()?.token != nil)
        try await device.forget()
        #expect(try await device.registration() == nil)
        try await helium.get("/a").value()
        #expect(fake[\.posts] == 2)
    }

    @Test("a Date field in the response changes nothing (the original's testRetry)")
    func dateField() async throws {
        let fake = fake
        let token = String(repeating: "b", count: 32)
        fake[\.devices] = [token]
        fake[\.registrationFaults] = [
            .json(#"{"response":{"id":"\#(token)"}}"#, fields: [.date: "Fri, 01 Jan 2038 00:00:00 GMT"])
        ]
        let helium = try makeHelium(fake)
        #expect(try await helium.get("/a", returning: Reply.self).value().ok)
    }

    @Test("closing the client ends a registration in progress")
    func close() async throws {
        let fake = fake
        let helium = try makeHelium(fake)
        fake[\.registrationFaults] = [FakeMiddleware.failure(503, "Busy")]
        _ = try await failure(of: { try await helium.get("/a").value() })
        async let outcome = failure(of: { try await helium.get("/a").value() })
        await clock.waitForSleepers()
        await helium.close()
        #expect(try await outcome.kind == .clientClosed)
        #expect(try await failure(of: { try await helium.get("/a").value() }).kind == .clientClosed)
    }
}

/// A store that can be full.
private final class ForgetfulStore: TokenStore {
    struct Full: Error {}

    let failurePolicy: StoreFailurePolicy
    let isFull = Atomic<Bool>(true)

    init(failurePolicy: StoreFailurePolicy) { self.failurePolicy = failurePolicy }

    /// Whether it cannot be read or cleared either.
    let isBroken = Atomic<Bool>(false)

    func load(_ key: TokenStoreKey) async throws -> DeviceRegistration? {
        if isBroken.load(ordering: .relaxed) { throw Full() }
        return nil
    }

    func save(_ registration: DeviceRegistration, for key: TokenStoreKey) async throws {
        if isFull.load(ordering: .relaxed) { throw Full() }
    }

    func clear(token: String, for key: TokenStoreKey) async throws -> Bool {
        if isBroken.load(ordering: .relaxed) { throw Full() }
        return false
    }

    func remove(_ key: TokenStoreKey) async throws {}
}
