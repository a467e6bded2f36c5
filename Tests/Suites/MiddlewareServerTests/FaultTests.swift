import Foundation
import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import HeliumServerKit
@testable import MiddlewareServer

@Suite("Faults of the middleware server", .timeLimit(.minutes(5)))
struct FaultTests {
    private static let todo = "/demo-auth/v1/todo"

    private func withDevice(_ body: (RunningServer, Peer, String) async throws -> Void) async throws {
        try await withEmbeddedServer { running in
            let peer = Peer(running: running)
            try await body(running, peer, try await peer.register())
        }
    }

    @Test(
        "a fault for the next request affects only that one",
        arguments: [
            (.keyExpired, 401, "KeyExpired"), (.disabledDevice, 403, "TemporaryDisabled"),
            (.disabledSecret, 401, "KeyInvalid"), (.payloadTooLarge, 413, "InternalServerError"),
            (.clockOffset(.seconds(600)), 401, "KeyExpired"), (.clockOffset(.seconds(-600)), 401, "KeyExpired"),
        ] as [(ServerFault, Int, String)]
    )
    func actsOnce(_ fault: ServerFault, _ status: Int, _ code: String) async throws {
        try await withDevice { (running, peer, device) async throws in
            running.faults.inject(fault, .next(1))
            let first = try await peer.signed("GET", Self.todo, device: device)
            #expect(first.status == status)
            #expect(first.codes == [code])
            #expect(running.faults.count == 0)
            #expect(try await peer.signed("GET", Self.todo, device: device).status == 200)
        }
    }

    @Test("an expired key is reported before an unknown device, as by the original server")
    func expiredComesFirst() async throws {
        try await withDevice { (running, peer, device) async throws in
            running.faults.inject(.keyExpired, .next(1))
            running.faults.inject(.forgetAllDevices, .next(1))
            #expect(try await peer.signed("GET", Self.todo, device: device).codes == ["KeyExpired"])
            #expect(try await peer.signed("GET", Self.todo, device: device).codes == ["DeviceIdInvalid"])
        }
    }

    @Test("a wrong clock is in the time header, ahead or behind", arguments: [600, -600])
    func wrongClock(_ seconds: Int) async throws {
        try await withDevice { (running, peer, device) async throws in
            running.middleware.setClockOffset(.seconds(seconds))
            let now = Int(Date().timeIntervalSince1970)
            let refused = try await peer.signed("GET", Self.todo, device: device)
            #expect(refused.codes == ["KeyExpired"])
            let time = try #require(refused["timestamp"].flatMap(Int.init)) / 1000
            #expect(abs(time - now - seconds) < 30)
            #expect(try await peer.signed("GET", Self.todo, device: device, at: time).status == 200)
        }
    }

    @Test("a forgotten device stays unknown")
    func forgets() async throws {
        try await withDevice { (running, peer, device) async throws in
            let other = try await peer.register()
            running.faults.inject(.forgetDevice, .next(1))
            for _ in 0..<2 {
                #expect(try await peer.signed("GET", Self.todo, device: device).codes == ["DeviceIdInvalid"])
            }
            #expect(try await peer.signed("GET", Self.todo, device: other).status == 200)
            running.faults.inject(.forgetAllDevices, .next(1))
            #expect(try await peer.signed("GET", Self.todo, device: other).codes == ["DeviceIdInvalid"])
            #expect(try await running.middleware.deviceCount() == 0)
            let third = try await peer.register()
            #expect(try await running.middleware.forgetDevice(third))
            #expect(try await running.middleware.forgetDevice(third) == false)
            #expect(try await running.middleware.forgetAllDevices() == 0)
            #expect(running.middleware.registrations == 3)
        }
    }

    @Test("a disabled secret is refused until it is enabled again")
    func disablesSecret() async throws {
        try await withDevice { (running, peer, device) async throws in
            let id = running.ready.middleware.secretID
            #expect(running.middleware.setSecret(id, isEnabled: false))
            #expect(try await peer.signed("GET", Self.todo, device: device).codes == ["KeyInvalid"])
            #expect(running.middleware.setSecret(id, isEnabled: true))
            #expect(try await peer.signed("GET", Self.todo, device: device).status == 200)
            #expect(running.middleware.setSecret("unknown", isEnabled: false) == false)
        }
    }

    @Test("a fault sends a 401 without the time header")
    func missingTimestamp() async throws {
        try await withDevice { (running, peer, device) async throws in
            running.faults.inject(ServerFault.keyExpiredWithoutTimestamp, .next(1))
            let answer = try await peer.signed("GET", Self.todo, device: device)
            #expect(answer.codes == ["KeyExpired"])
            #expect(answer["timestamp"] == nil)
            #expect(answer["www-authenticate"] != nil)
        }
    }

    @Test("a fault sends a 503 as text or a 401 as HTML, and the request has no effect")
    func foreignAnswers() async throws {
        try await withDevice { (running, peer, device) async throws in
            running.faults.inject(.busy, .next(1))
            let busy = try await peer.signed("POST", Self.todo, device: device, json: #"{"name":"a"}"#)
            #expect(busy.status == 503)
            #expect(busy.text == "I'm busy right now, sorry.")
            #expect(busy["content-type"] == "text/plain; charset=utf-8")
            running.faults.inject(.unauthorizedHTML, .next(1))
            let html = try await peer.signed("POST", Self.todo, device: device, json: #"{"name":"a"}"#)
            #expect(html.status == 401)
            #expect(html["content-type"] == "text/html; charset=utf-8")
            #expect(html.json == nil)
            #expect(try await peer.signed("GET", Self.todo, device: device).text == #"{"status":200,"response":[]}"#)
        }
    }

    @Test("a fault cuts a response in the middle of its body")
    func cut() async throws {
        try await withDevice { (running, peer, _) async throws in
            running.faults.inject(.cut, .next(1))
            let connection = try RawConnection(port: peer.port)
            try await connection.send(Peer.bytes("GET", "/demo-auth/v1/services", host: peer.host))
            let cut = String(decoding: try await connection.readToEnd(), as: UTF8.self)
            let parts = cut.components(separatedBy: "\r\n\r\n")
            let whole = try await peer.send("GET", "/demo-auth/v1/services")
            #expect(parts.count == 2)
            #expect(cut.lowercased().contains("content-length: \(whole.body.count)"))
            #expect(parts.last?.utf8.count == whole.body.count / 2)
        }
    }

    @Test("a fault delays a response, whose request has taken effect before")
    func slow() async throws {
        try await withDevice { (running, peer, _) async throws in
            running.faults.inject(.delay(.milliseconds(200)), .next(1))
            let start = ContinuousClock.now
            #expect(try await peer.post("/demo-auth/v1/devices", "{}").status == 200)
            #expect(ContinuousClock.now - start >= .milliseconds(200))
        }
    }

    @Test("a fault for a path leaves other paths alone, and ends when it is removed")
    func scopes() async throws {
        try await withDevice { (running, peer, device) async throws in
            let token = running.faults.inject(.busy, .path("/Demo-Auth/v1/TODO"))
            for _ in 0..<2 { #expect(try await peer.signed("GET", Self.todo, device: device).status == 503) }
            #expect(try await peer.send("GET", "/demo-auth/v1/services").status == 200)
            running.faults.remove(token)
            #expect(try await peer.signed("GET", Self.todo, device: device).status == 200)
            running.faults.inject(.busy)
            running.faults.inject(.keyExpired, .path("/x", next: 3))
            #expect(running.faults.count == 2)
            running.faults.removeAll()
            #expect(try await peer.signed("GET", Self.todo, device: device).status == 200)
        }
    }
}
