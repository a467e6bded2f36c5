import ConAir
import ConAirPage
import Foundation
import HeliumConcurrency
import HeliumJSON
import HeliumTesting
import Synchronization
import TestSupport
import Testing
import WireSupport

@Suite("ConAirPage events", .timeLimit(.minutes(5)))
struct ConAirPageEventTests {
    @Test("the events of the page begin with a snapshot, and have consecutive ids")
    func events() async throws {
        try await PageWorld.with { world in
            world.source.set(noon - 240, 20)
            try await world.store.collect()
            try await world.viewing("?range=hour") { peer, head in
                #expect(head.hasPrefix("HTTP/1.1 200"))
                #expect(head.lowercased().contains("content-type: text/event-stream"))
                #expect(head.lowercased().contains("cache-control: no-store"))
                let snapshot = try await peer.event(named: "snapshot")
                let document = try #require(JSONValue.parse(snapshot.data)?.objectValue)
                #expect(document["range"] == "hour")
                #expect(document["points"]?.arrayValue?.count == 1)

                world.source.set(noon - 240, 20.5)
                world.source.set(noon - 120, 21)
                try await world.store.collect()
                // A state may come before the changes, and the first points of the store once more.
                var numbers = [snapshot].map(\.number)
                var changes = ""
                while changes.isEmpty {
                    let event = try await peer.event()
                    numbers.append(event.number)
                    if event.name == "changes", event.data.hasPrefix(#"{"number":2,"#) { changes = event.data }
                }
                let data = try await world.response("/data.json?range=hour").body
                #expect(JSONValue.parse(data)?["newest"]?["value"] == "21.00 °C")
                #expect(
                    changes
                        == #"{"number":2,"inserted":[[1355227080000,21.0]],"replaced":[[1355226960000,20.5]],"removed":[]}"#
                )
                #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
            }
        }
    }

    @Test("a viewer that returns gets the events that it missed, each once")
    func replay() async throws {
        try await PageWorld.with { world in
            try await world.store.collect()
            let id = try await world.viewing { peer, _ in
                world.source.set(noon - 1_200, 1)
                try await world.store.collect()
                return try await peer.event(named: "changes").id
            }
            for index in 2...5 {
                world.source.set(noon - 1_320 + 120 * index, Double(index))
                try await world.store.collect()
            }
            let wanted = (2...5).map { "\($0)" }
            try await world.viewing(after: id) { peer, _ in
                var numbers: [String] = []
                while numbers.count < 4 {
                    let event = try await peer.event()
                    #expect(event.name != "snapshot")
                    guard event.name == "changes" else { continue }
                    numbers.append("\(JSONValue.parse(event.data)?.objectValue?["number"]?.integerValue ?? 0)")
                }
                #expect(numbers == wanted)
            }
            for unknown in ["", "x-1", "\(id.split(separator: "-")[0])-99999"] {
                let first = try await world.viewing(after: unknown) { peer, _ in try await peer.event() }
                #expect(first.name == "snapshot")
                #expect(JSONValue.parse(first.data)?.objectValue?["points"]?.arrayValue?.count == 5)
            }
        }
    }

    @Test("a change that is too long is sent as a snapshot")
    func longChange() async throws {
        try await PageWorld.with { world in
            try await world.viewing("?range=all") { peer, _ in
                let first = try await peer.event()
                #expect(first.name == "snapshot")
                world.source.fill(3_000, upTo: noon - 120)
                try await world.store.collect()
                var document = JSONObject()
                // The page may tell the first points of the store once more.
                while document["number"]?.integerValue != 1 {
                    let event = try await peer.event(named: "snapshot")
                    document = try #require(JSONValue.parse(event.data)?.objectValue)
                }
                #expect(500...2_500 ~= document["points"]?.arrayValue?.count ?? 0)
            }
        }
    }

    @Test("a heartbeat keeps the connection of a viewer open")
    func heartbeat() async throws {
        try await PageWorld.with { world in
            try await world.viewing { peer, _ in
                _ = try await peer.event(named: "snapshot")
                for _ in 0..<3 {
                    await world.clock.waitForSleepers()
                    world.clock.advance(by: .seconds(15))
                    _ = try await peer.read(until: ": heartbeat\n\n")
                }
            }
        }
    }

    @Test("one client has at most 192 of the 256 viewers of the page's events")
    func viewers() async throws {
        try await PageWorld.with { world in
            let gate = Signal<Void>()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<192 {
                    group.addTask {
                        try await world.viewing { peer, head in
                            #expect(head.hasPrefix("HTTP/1.1 200"))
                            _ = try await peer.event(named: "snapshot")
                            try await gate.value()
                        }
                    }
                }
                try await eventually { world.page.viewerCount == 192 }
                let refused = try await world.response("/events")
                #expect(refused.status == 503)
                #expect(refused.field("retry-after") == "30")
                let page = try await world.response("/")
                #expect(page.status == 200)
                gate.settle()
                try await group.waitForAll()
            }
            try await eventually { world.page.viewerCount == 0 }
            try await world.viewing { peer, _ in _ = try await peer.event(named: "snapshot") }
        }
    }

    @Test("a viewer that does not read is disconnected, and the others continue")
    func unread() async throws {
        // Each collection reads 900 points again, and each has changed: enough to fill the buffers of the system.
        try await PageWorld.with(overlap: 900) {
            $0.serverLimits.idle = .seconds(2)
        } _: { world in
            world.source.fill(900, upTo: noon - 120)
            try await world.store.collect()
            try await world.viewing(receiveBuffer: 64 << 10) { silent, _ in
                #expect(world.page.viewerCount == 1)
                try await world.viewing { reader, _ in
                    _ = try await reader.event(named: "snapshot")
                    var offset = 0.0
                    while world.page.viewerCount == 2, offset < 2_000 {
                        offset += 1
                        for index in 0..<900 { world.source.set(noon - 120 - 120 * index, Double(index) + offset / 7) }
                        try await world.store.collect()
                        _ = try await reader.event(named: "changes")
                    }
                    #expect(world.page.viewerCount == 1, "after \(offset) events")
                }
                // Its connection is closed too, once what was sent has been read.
                try await silent.readToEnd()
            }
        }
    }

    @Test("the events of the page end with the server")
    func end() async throws {
        let ended = Signal<Void>()
        try await PageWorld.with { world in
            let port = world.port
            let connected = Signal<Void>()
            Task {
                _ = try? await WirePeer.connect(to: port) { peer in
                    try await peer.write("GET /events HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
                    _ = try await peer.event(named: "snapshot")
                    connected.settle()
                    try await peer.readToEnd()
                }
                ended.settle()
            }
            try await connected.value()
        }
        try await ended.value()
    }
}
