// How to test code that calls an API: a transport without a network, and a clock that stands still. No test here waits.
import HeliumKit
import HeliumTesting
import Testing

import struct Foundation.URL

/// The code under test: polls a price until it reaches a limit.
struct PriceWatch {
    struct Price: Decodable {
        let amount: Double
    }

    let helium: Helium
    let clock: any HeliumClock

    /// The first price that is at most `limit`. Asks every ten seconds.
    func wait(for limit: Double) async throws -> Double {
        while true {
            let price = try await helium.get("/price", returning: Price.self).value()
            if price.amount <= limit { return price.amount }
            try await clock.sleep(for: .seconds(10))
        }
    }
}

@Suite("Example: a price is watched")
struct PriceWatchTests {
    private func watch(_ transport: MockTransport, _ clock: TestClock) throws -> PriceWatch {
        var environment = ClientEnvironment(transport: transport)
        environment.clock = clock
        let url = try #require(URL(string: "https://shop.example.com"))
        return PriceWatch(helium: try Helium(baseURL: url, environment: environment), clock: clock)
    }

    @Test("it asks every ten seconds until the price is low enough")
    func polls() async throws {
        let transport = MockTransport(answers: [30.0, 20, 10].map { .json(#"{"amount": \#($0)}"#) })
        let clock = TestClock()
        let watch = try watch(transport, clock)
        let price = Task { try await watch.wait(for: 10) }
        for _ in 0..<2 {
            await clock.waitForSleepers()
            clock.advance(by: .seconds(10))
        }
        #expect(try await price.value == 10)
        #expect(transport.requests.count == 3 && clock.uptime == .seconds(20))
    }

    @Test("a busy server is asked again before the watch fails")
    func retries() async throws {
        let transport = MockTransport(answers: [.empty(status: 503), .json(#"{"amount": 5}"#)])
        // Pauses between attempts are skipped; longer sleeps would wait.
        let clock = TestClock(skippingSleepsUpTo: .seconds(5))
        #expect(try await watch(transport, clock).wait(for: 10) == 5)
        #expect(transport.requests.count == 2)
    }
}
