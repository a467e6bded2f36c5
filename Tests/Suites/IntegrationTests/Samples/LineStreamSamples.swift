import Foundation
import HeliumKit
import HeliumTesting
import TestSupport
import Testing

/// The samples of the article "Lines, elements and events", run.
@Suite("Samples: lines and events", .timeLimit(.minutes(5)))
struct LineStreamSamples {
    private struct Reading: Decodable, Sendable { let celsius: Double }

    private func withHelium(_ type: String, _ body: String, _ run: (Helium) async throws -> Void) async throws {
        try await FaultServer.run({ request in
            request.number == 1
                ? [.answer(fields: ["Content-Type: \(type)"], body: body)] : [.send("HTTP/1.1 204 Done\r\n\r\n")]
        }) { server in
            try await HeliumKit.withHelium(baseURL: try #require(URL(string: server.url)), run)
        }
    }

    @Test("sample of line streams: lines")
    func lines() async throws {
        try await withHelium("text/plain", "one\ntwo") { helium in
            let print = Printer()
            // sample
            for try await line in helium.get("/log", returning: Data.self).lines() {
                print(line)
            }
            // end of sample
            #expect(print.output == ["one", "two"])
        }
    }

    @Test("sample of line streams: JSON lines")
    func jsonLines() async throws {
        try await withHelium("application/x-ndjson", "{\"celsius\":20.5}\n{\"celsius\":21}\n") { helium in
            let print = Printer()
            // sample
            for try await reading in helium.get("/readings", returning: Data.self).jsonLines(of: Reading.self) {
                print(reading.celsius)
            }
            // end of sample
            #expect(print.output == ["20.5", "21.0"])
        }
    }

    @Test("sample of line streams: JSON lines without invalid ones")
    func badLines() async throws {
        try await withHelium("application/x-ndjson", "{\"celsius\":20.5}\n{}\n") { helium in
            // sample
            let readings = helium.get("/readings", returning: Data.self)
                .jsonLines(of: Reading.self, badLines: .skip { error in print(error.message) })
            // end of sample
            var count = 0
            for try await _ in readings { count += 1 }
            #expect(count == 1)
        }
    }

    @Test("sample of line streams: elements of an array")
    func elements() async throws {
        let body = "{\"total\":2,\"data\":[{\"celsius\":20.5},{\"celsius\":21}]}"
        try await withHelium("application/json", body) { helium in
            let print = Printer()
            // sample
            let readings = helium.get("/readings", returning: Data.self).elements(of: Reading.self, at: ["data"])
            for try await reading in readings {
                print(reading.celsius)
            }
            // end of sample
            #expect(print.output == ["20.5", "21.0"])
        }
    }

    @Test("sample of line streams: elements with other limits and without invalid ones")
    func elementOptions() async throws {
        try await withHelium("application/json", "[{\"celsius\":20.5},{}]") { helium in
            // sample
            var options = ElementOptions()
            options.elementBytes = 64 << 10
            let readings = helium.get("/readings", returning: Data.self)
                .elements(of: Reading.self, options, badElements: .skip { error in print(error.message) })
            // end of sample
            var count = 0
            for try await _ in readings { count += 1 }
            #expect(count == 1)
        }
    }

    @Test("sample of line streams: events and the state of their connection")
    func events() async throws {
        try await withHelium("text/event-stream", "event: price\ndata: 1\n\ndata: x\n\nretry: 100\n") { helium in
            let print = Printer()
            // sample
            let events = helium.get("/feed", returning: Data.self).serverSentEvents()
            for try await event in events where event.type == "price" {
                print(event.data)
            }
            // end of sample
            // sample
            let status = events.status
            print(status.activity, status.reconnects, status.lastError as Any)
            // end of sample
            #expect(print.output == ["1", "closed 1 nil"])
            #expect(status.activity == .closed && status.reconnects == 1 && status.lastError == nil)
        }
    }

    @Test("sample of line streams: events from where an earlier run stopped")
    func resumed() async throws {
        let stored: String? = "41"
        try await withHelium("text/event-stream", "id: 42\ndata: 1\n\n") { helium in
            // sample
            var options = ServerSentEventOptions()
            options.lastEventID = stored
            options.reconnects = .never
            let rest = helium.get("/feed", returning: Data.self).serverSentEvents(options)
            // end of sample
            var ids: [String?] = []
            for try await event in rest { ids.append(event.id) }
            #expect(ids == ["42"])
        }
    }
}
