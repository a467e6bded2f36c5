import Foundation
import HTTPTypes
import HeliumCore
import HeliumKit
import HeliumTesting
import Synchronization

/// The middleware as a mock transport sees it: just enough of section 1.5 to exercise the client, faults included.
///
/// It does not check signatures: the embedded server does that in the integration tests.
final class FakeMiddleware: Sendable {
    struct State {
        var devices: Set<String> = []
        var issued = 0
        var posts = 0
        var puts = 0
        /// Server clock minus client clock.
        var clockOffset: Duration = .zero
        var tellsTime = true
        /// The responses to registrations instead of a token, in order.
        var registrationFaults: [TransportResponse] = []
        /// The responses to updates, in order.
        var updateFaults: [TransportResponse] = []
        /// The responses to signed requests, in order.
        var requestFaults: [TransportResponse] = []
        var seenTokens: [String] = []
    }

    let state = Guarded(State())
    let clock: TestClock
    /// Called when a registration arrives, before it is answered.
    let onRegistration: @Sendable () async -> Void

    init(clock: TestClock, onRegistration: @escaping @Sendable () async -> Void = {}) {
        self.clock = clock
        self.onRegistration = onRegistration
    }

    var transport: MockTransport {
        MockTransport { [self] request async throws(TransportFailure) in await answer(request) }
    }

    subscript<Value>(_ path: any WritableKeyPath<State, Value> & Sendable) -> Value {
        get { state.withLock { $0[keyPath: path] } }
        set { state.withLock { $0[keyPath: path] = newValue } }
    }

    private func answer(_ request: TransportRequest) async -> TransportResponse {
        if request.method == .post, request.url.target.hasSuffix("/devices") {
            await onRegistration()
            return register()
        }
        let key = request.fields[HTTPField.Name("key") ?? .accept] ?? ""
        return state.withLock { state in
            let now = clock.wallTime + state.clockOffset
            let fields: HTTPFields =
                state.tellsTime ? [HTTPField.Name("timestamp") ?? .date: "\(now.components.seconds * 1000)"] : [:]
            guard key.count == 138 else { return Self.failure(400, "MissingRequiredParameter", [:]) }
            let token = String(key.prefix(32))
            state.seenTokens.append(token)
            let stamp = Int64(key.dropFirst(64).prefix(10)) ?? 0
            if abs(stamp - now.components.seconds) > 300 { return Self.failure(401, "KeyExpired", fields) }
            if !state.devices.contains(token) { return Self.failure(401, "DeviceIdInvalid", fields) }
            if request.method == .put, request.url.target.contains("/devices/") {
                state.puts += 1
                if !state.updateFaults.isEmpty { return state.updateFaults.removeFirst() }
                return .json(#"{"status":200,"response":{"id":"\#(token)"}}"#, fields: fields)
            }
            if !state.requestFaults.isEmpty { return state.requestFaults.removeFirst() }
            return .json(#"{"status":200,"response":{"ok":true}}"#, fields: fields)
        }
    }

    private func register() -> TransportResponse {
        state.withLock { state in
            state.posts += 1
            if !state.registrationFaults.isEmpty { return state.registrationFaults.removeFirst() }
            state.issued += 1
            let number = String(state.issued)
            let token = String(repeating: "a", count: 32 - number.count) + number
            state.devices.insert(token)
            let now = clock.wallTime + state.clockOffset
            let fields: HTTPFields =
                state.tellsTime ? [HTTPField.Name("timestamp") ?? .date: "\(now.components.seconds * 1000)"] : [:]
            return .json(#"{"status":200,"response":{"id":"\#(token)"}}"#, fields: fields)
        }
    }

    static func failure(_ status: Int, _ code: String, _ fields: HTTPFields = [:]) -> TransportResponse {
        .json(#"{"status":\#(status),"errors":[{"code":"\#(code)","msg":"no"}]}"#, status: status, fields: fields)
    }
}

let secret = "74168c7a1868ddeee3355fab9489914b"
let secretID = "91205b43c5144068ee9979b093925f77"

struct Reply: Decodable, Sendable { let ok: Bool }

/// A client of a fake middleware.
func makeHelium(
    _ fake: FakeMiddleware,
    store: any TokenStore = MemoryTokenStore(),
    baseURL: String = "https://api.example.com",
    info: DeviceInfo = DeviceInfo(culture: "de-DE"),
    configure: (inout HeliumConfiguration) -> Void = { _ in }
) throws -> Helium {
    guard let base = URL(string: baseURL), let devices = URL(string: baseURL + "/devices") else {
        throw HeliumError(configuration: "no URL")
    }
    var configuration = HeliumConfiguration(
        secret: Secret(secret),
        secretID: secretID,
        baseURL: base,
        device: DeviceConfiguration(url: devices, info: info, store: store)
    )
    configuration.environment = ClientEnvironment(transport: fake.transport)
    configuration.environment.clock = fake.clock
    configuration.environment.random = RandomSource { .max }
    configure(&configuration)
    return try Helium(configuration)
}

/// The failure of an operation that must fail with a ``HeliumError``.
func failure(of operation: () async throws -> some Any) async throws -> HeliumError {
    do {
        _ = try await operation()
    } catch let error as HeliumError {
        return error
    }
    throw UnexpectedSuccess()
}

struct UnexpectedSuccess: Error {}
