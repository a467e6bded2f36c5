import Foundation
import HTTPTypes
import HeliumTesting
import Synchronization
import Testing

@testable import HeliumKit

/// No value of a public option ends the process, with real connections too. A call with it succeeds or fails with an
/// error.
@Suite("Extreme values of connections, downloads and devices", .timeLimit(.minutes(5)))
struct ExtremeConnectionTests {
    private static let durations: [Duration?] = [
        Duration(attoseconds: .max), Duration(attoseconds: .min),
        .seconds(Int64.max) + .seconds(Int64.max), .seconds(Int64.max), .seconds(Int64.min),
        .seconds(Int64.min) + .seconds(Int64.min), .nanoseconds(-1), .zero, .nanoseconds(1), nil,
    ]
    private static let integers = [Int.max, .min, -1, 0, 1]

    private static func call(_ builder: RequestBuilder<Void>) async {
        do {
            _ = try await builder.value()
            _ = try await builder.stream()
        } catch {
            #expect(error is HeliumError)
        }
    }

    @Test("time limits of phases")
    func timeouts() async throws {
        let limits: [any WritableKeyPath<PhaseTimeouts, Duration?> & Sendable] = [
            \.queue, \.connect, \.firstByte, \.idle, \.total,
        ]
        try await FaultServer.run({ _ in [.answer(body: "a")] }) { server in
            let url = try #require(URL(string: server.url))
            for duration in Self.durations {
                for limit in limits {
                    var timeouts = PhaseTimeouts()
                    timeouts[keyPath: limit] = duration
                    try await withHelium(baseURL: url) { helium in
                        await Self.call(helium.get("/").timeouts(timeouts))
                    }
                }
            }
        }
    }

    @Test("limits of responses and numbers of connections")
    func numbers() async throws {
        let limits: [any WritableKeyPath<ResponseLimits, Int> & Sendable] = [\.bodyBytes, \.headerBytes, \.headerCount]
        let connections: [any WritableKeyPath<CurlTransport.Configuration, Int> & Sendable] = [
            \.maximumIdleConnections, \.maximumConnectionsPerHost, \.maximumConnections,
        ]
        try await FaultServer.run({ _ in [.answer(body: "a")] }) { server in
            let url = try #require(URL(string: server.url))
            for number in Self.integers {
                for limit in limits {
                    var options = ClientOptions()
                    options.limits[keyPath: limit] = number
                    options.limits.decompressionRatio = number
                    do {
                        try await withHelium(baseURL: url, options: options) { await Self.call($0.get("/")) }
                    } catch {
                        #expect((error as? HeliumError)?.kind == .invalidConfiguration)
                    }
                }
                for connection in connections {
                    var configuration = CurlTransport.Configuration()
                    configuration[keyPath: connection] = number
                    let helium = try Helium(baseURL: url, connection: configuration)
                    await Self.call(helium.get("/"))
                    await helium.close(drainingFor: .seconds(Int64.max))
                }
            }
        }
    }

    @Test("time limit and size of a download")
    func downloads() async throws {
        try await FaultServer.run({ _ in [.answer(body: "a")] }) { server in
            let url = try #require(URL(string: server.url))
            let path = FileManager.default.temporaryDirectory.appendingPathComponent("helium-\(UUID().uuidString)").path
            defer { try? FileManager.default.removeItem(atPath: path) }
            try await withHelium(baseURL: url) { helium in
                for duration in Self.durations {
                    for bytes in Self.integers {
                        var options = DownloadOptions()
                        options.maximumBytes = Int64(bytes)
                        do {
                            _ = try await helium.get("/").timeout(duration).download(toPath: path, options: options)
                        } catch {
                            #expect(error is HeliumError)
                        }
                    }
                }
            }
        }
    }

    @Test("clock offsets and time limits of a device")
    func devices() async throws {
        for duration in Self.durations.compactMap(\.self) {
            let fake = FakeMiddleware(clock: TestClock(skippingSleepsUpTo: .seconds(100)))
            let store = MemoryTokenStore()
            let devices = try #require(URL(string: "https://api.example.com/devices"))
            let token = String(repeating: "c", count: 32)
            let stored = DeviceRegistration(token: token, clockOffset: duration)
            #expect(try !JSONEncoder().encode(stored).isEmpty)
            await store.save(stored, for: TokenStoreKey(devicesURL: devices, secretID: secretID))
            fake[\.devices] = [token]
            for maximum in Self.durations.compactMap(\.self) {
                let helium = try makeHelium(fake, store: store) { configuration in
                    configuration.device.clockCorrection.maximumOffset = maximum
                    configuration.device.timeout = duration
                }
                await Self.call(helium.get("/a"))
                do { try await helium.device?.register(within: duration) } catch { #expect(error is HeliumError) }
                await helium.close()
            }
        }
    }

    @Test("size and wait of a token file")
    func tokenFile() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("helium-\(UUID().uuidString)").path
        defer { for name in [path, path + ".lock"] { try? FileManager.default.removeItem(atPath: name) } }
        let key = TokenStoreKey(devicesURL: try #require(URL(string: "https://a.example/")), secretID: secretID)
        for duration in Self.durations.compactMap(\.self) {
            for number in Self.integers {
                let store = FileTokenStore(at: path, maximumByteCount: number, lockTimeout: duration)
                do {
                    try await store.save(DeviceRegistration(token: "a"), for: key)
                    _ = try await store.load(key)
                } catch {
                    #expect(error is TokenStoreError)
                }
            }
        }
    }
}
