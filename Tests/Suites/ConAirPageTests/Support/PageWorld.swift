import ConAir
import ConAirPage
import Foundation
import HeliumTesting
import TestSupport
import WireSupport

/// A page of a store that a test collects for, and clients of bytes.
struct PageWorld: Sendable {
    let clock: TestClock
    let source: PageSource
    let store: TimeSeriesStore
    let page: SeriesPageServer
    let url: URL

    var port: Int { url.port ?? 0 }

    /// - Parameter overlap: The number of steps that each collection reads again.
    static func with(
        overlap: Int = 2,
        _ configure: (inout SeriesPageServer.Configuration) -> Void = { _ in },
        _ body: (PageWorld) async throws -> Void
    ) async throws {
        let clock = TestClock(wallTime: .seconds(1_355_227_200))
        let source = PageSource()
        var options = TimeSeriesStore.Options()
        options.initialSpan = .seconds(5 * 86_400)
        options.overlap = overlap
        let store = try TimeSeriesStore(source: source, step: .seconds(120), options: options, clock: clock)
        var configuration = SeriesPageServer.Configuration()
        configuration.unit = "°C"
        configuration.dygraphs = nil
        configuration.clock = clock
        configure(&configuration)
        let page = try SeriesPageServer(store, configuration)
        try await withRunning {
            try await page.run()
        } _: {
            let url = try await page.ready()
            // The page follows the store before it waits for its first heartbeat.
            await clock.waitForSleepers()
            try await body(PageWorld(clock: clock, source: source, store: store, page: page, url: url))
        }
    }

    /// The response to a request on a connection of its own.
    func response(
        _ target: String,
        method: String = "GET",
        host: String? = nil,
        at address: String = "127.0.0.1",
        _ fields: String = ""
    ) async throws -> PageResponse {
        try await WirePeer.connect(to: port, at: address) { peer in
            try await peer.write(
                "\(method) \(target) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(port)")\r\nConnection: close\r\n\(fields)\r\n"
            )
            let head = try await peer.read(until: "\r\n\r\n")
            var body: [UInt8] = []
            while let part = try await peer.readSome() { body += part }
            return PageResponse(head: head, body: String(decoding: body, as: UTF8.self))
        }
    }

    /// Runs `body` with the connection of a viewer, of whose response the head was read.
    func viewing<Value: Sendable>(
        _ query: String = "",
        after id: String? = nil,
        receiveBuffer: Int? = nil,
        _ body: (WirePeer, _ head: String) async throws -> Value
    ) async throws -> Value {
        try await WirePeer.connect(to: port, receiveBuffer: receiveBuffer) { peer in
            let last = id.map { "Last-Event-ID: \($0)\r\n" } ?? ""
            try await peer.write("GET /events\(query) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(last)\r\n")
            let head = try await peer.read(until: "\r\n\r\n")
            return try await body(peer, head)
        }
    }
}

struct PageResponse: Sendable {
    let head: String
    let body: String

    var status: Int? { head.split(separator: " ").dropFirst().first.flatMap { Int($0) } }

    /// The value of a header field.
    func field(_ name: String) -> String? {
        for line in head.split(separator: "\r\n").dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { continue }
            return parts[1].trimmingCharacters(in: .whitespaces)
        }
        return nil
    }
}

/// An event as a reader sees it.
struct PageEvent: Sendable {
    let id: String
    let name: String
    let data: String

    /// The number in the id; -1 if there is none.
    var number: Int { id.split(separator: "-").last.flatMap { Int($0) } ?? -1 }
}

extension WirePeer {
    /// The next event; comments and the time to the next attempt are left out.
    func event() async throws -> PageEvent {
        let head = try await read(until: "\nevent: ")
        let name = try await read(until: "\ndata: ")
        // A long event arrives in several chunks, whose sizes are on lines of their own.
        let data = try await read(until: "\n\n").replacing(/\r\n[0-9a-fA-F]+\r\n/, with: "")
        let id = head.components(separatedBy: "id: ").last ?? ""
        return PageEvent(
            id: String(id.prefix { $0 != "\n" }),
            name: String(name.prefix { $0 != "\n" }),
            data: String(data.dropLast(2))
        )
    }

    /// The next event of a name.
    func event(named name: String) async throws -> PageEvent {
        while true {
            let event = try await event()
            if event.name == name { return event }
        }
    }
}
