import Foundation
import HeliumBytes
import HeliumConcurrency
import HeliumCore
import HeliumTesting
import NIOCore
import Synchronization
import TestSupport
import Testing
import WireSupport

@testable import HeliumCurl

@Suite("Byte channels over sockets", .timeLimit(.minutes(5)))
struct ChannelTests {
    @Test("a channel opens, carries bytes both ways and reports the peer's end", arguments: ChannelSetting.all)
    func echo(setting: ChannelSetting) async throws {
        try await setting.run { peer in
            try await peer.write(try await peer.read(5))
        } _: { transport, target, _ async throws in
            let probe = ChannelProbe()
            try probe.open(target, on: transport)
            try await probe.wait { $0.isOpen }
            probe.write("hello")
            try await probe.wait { $0.peerEnd != nil }
            let state = probe.now
            #expect(state.received == Data("hello".utf8) && state.writes == [true] && state.end == nil)
            #expect(state.peerEnd == true)
            #expect(state.facts.timings.connect != nil && state.facts.applicationProtocol == nil)
            #expect((state.facts.timings.tlsHandshake != nil) == setting.isSecure)
            probe.abort()
            try await probe.waitForEnd()
            #expect(probe.now.endCount == 1 && probe.now.lateEvents == [])
        }
    }

    @Test("a channel that pauses again and again loses no byte", arguments: ChannelSetting.all)
    func pauses(setting: ChannelSetting) async throws {
        let count = 3_000_000
        let bytes = BodyServer.pattern(count)
        try await setting.run { peer in
            try await peer.write(Array(bytes))
            _ = try await peer.read(1)
        } _: { transport, target, _ async throws in
            let probe = ChannelProbe(pausingAfter: 300_000)
            try probe.open(target, on: transport)
            var pauses = 0
            while true {
                try await probe.wait { $0.isPaused || $0.receivedCount == count }
                let state = probe.now
                if !state.isPaused { break }
                pauses += 1
                // The bytes of one read at most follow the decision to pause.
                #expect(state.received.count < (pauses + 1) * 300_000)
                probe.resume()
                try await probe.wait { !$0.isPaused || $0.received.count > state.received.count }
            }
            #expect(pauses == 10)
            probe.write("k")
            try await probe.wait { $0.peerEnd != nil }
            #expect(probe.now.received == bytes)
        }
    }

    @Test("more than the system accepts is written as the peer reads it", arguments: ChannelSetting.all)
    func slowReader(setting: ChannelSetting) async throws {
        let bytes = BodyServer.pattern(14_000_000)
        let begins = Signal<Void>()
        try await setting.run { peer in
            try await begins.value()
            let read = try await peer.read(bytes.count)
            try await peer.write(read == Array(bytes) ? "right" : "wrong")
        } _: { transport, target, _ async throws in
            let probe = ChannelProbe()
            try probe.open(target, on: transport)
            try await probe.wait { $0.isOpen }
            let results = Guarded<[Bool]>([])
            probe.perform { channel in
                // Output that waits grows, and its memory moves.
                for part in [bytes.prefix(5_000_000), bytes.dropFirst(5_000_000)] {
                    let isAccepted = channel.write { queue in part.withUnsafeBytes { queue.append($0) } }
                    results.withLock { $0.append(isAccepted) }
                }
            }
            try await eventually { results.withLock { $0 == [false, false] } }
            begins.settle()
            try await probe.wait { $0.received.count == 5 }
            #expect(probe.now.received == Data("right".utf8) && probe.now.drainCount == 1)
        }
    }

    @Test(
        "the end of writing reaches the peer after all bytes; under TLS it ends the channel",
        arguments: ChannelSetting.all
    )
    func halfCloseOfOurs(setting: ChannelSetting) async throws {
        let bytes = BodyServer.pattern(6_000_000)
        let total = Guarded(0)
        try await setting.run { peer in
            if !setting.isSecure { try await peer.channel.setOption(.allowRemoteHalfClosure, value: true).get() }
            try await peer.write("r")
            while let part = try await peer.readSome() { total.withLock { $0 += part.count } }
            if !setting.isSecure { try await peer.write("bye") }
        } _: { transport, target, server async throws in
            let probe = ChannelProbe()
            try probe.open(target, on: transport)
            try await probe.wait { $0.received.count == 1 }
            probe.perform { channel in
                channel.write { queue in bytes.withUnsafeBytes { queue.append($0) } }
                channel.endWriting()
            }
            if setting.isSecure {
                try await probe.waitForEnd()
                await server.waitForEnds()
            } else {
                try await probe.wait { $0.peerEnd != nil }
                #expect(probe.now.received == Data("rbye".utf8) && probe.now.end == nil)
            }
            #expect(total.withLock(\.self) == bytes.count)
        }
    }

    @Test("close() ends a channel after its output", arguments: ChannelSetting.all)
    func close(setting: ChannelSetting) async throws {
        let bytes = BodyServer.pattern(6_000_000)
        let total = Guarded(0)
        try await setting.run { peer in
            while let part = try await peer.readSome() { total.withLock { $0 += part.count } }
        } _: { transport, target, server async throws in
            let probe = ChannelProbe()
            try probe.open(target, on: transport)
            try await probe.wait { $0.isOpen }
            probe.perform { channel in
                channel.write { queue in bytes.withUnsafeBytes { queue.append($0) } }
                channel.close()
                // Has no effect any more.
                channel.isPaused = false
            }
            try await probe.waitForEnd()
            await server.waitForEnds()
            #expect(total.withLock(\.self) == bytes.count && probe.failure == nil)
        }
    }

    @Test("a channel is written after the peer has ended its direction", arguments: ChannelSetting.clear)
    func halfCloseOfPeer(setting: ChannelSetting) async throws {
        let rest = Guarded<[String]>([])
        try await setting.run { peer in
            try await peer.write("last")
            try await peer.channel.close(mode: .output).get()
            let read = try await peer.read(5)
            rest.withLock { $0.append(String(decoding: read, as: UTF8.self)) }
        } _: { transport, target, server async throws in
            let probe = ChannelProbe()
            try probe.open(target, on: transport)
            try await probe.wait { $0.peerEnd != nil }
            // libcurl looks for dead connections when it makes another one, once a second.
            try await Task.sleep(for: .milliseconds(1_100))
            let other = ChannelProbe()
            try other.open(target, on: transport)
            try await other.wait { $0.peerEnd != nil }
            probe.write("still")
            other.write("still")
            await server.waitForEnds(2)
            #expect(rest.withLock(\.self) == ["still", "still"])
            #expect(probe.now.received == Data("last".utf8) && probe.now.writes == [true])
        }
    }

    @Test("a channel that always has bytes delays neither another one nor a request", arguments: ChannelSetting.all)
    func flood(setting: ChannelSetting) async throws {
        let flood = [UInt8](repeating: 7, count: 1 << 20)
        try await setting.run { peer in
            guard try await peer.read(1) == Array("e".utf8) else {
                while true { try await peer.write(flood) }
            }
            while let part = try await peer.readSome() { try await peer.write(part) }
        } _: { transport, target, _ async throws in
            let (hostile, probe) = (ChannelProbe(), ChannelProbe())
            try hostile.open(target, on: transport)
            try probe.open(target, on: transport)
            try await hostile.wait { $0.isOpen }
            try await probe.wait { $0.isOpen }
            hostile.write("f")
            probe.write("e")
            try await hostile.wait { $0.receivedCount > 1 << 20 }
            try await FaultServer.run({ _ in [.answer(body: "ok")] }) { server in
                for number in 1...20 {
                    probe.write("x")
                    try await probe.wait { $0.received.count == number }
                    #expect(try await transport.execute(TransportRequest(to: server.url)).text == "ok")
                }
            }
            #expect(hostile.now.end == nil)
        }
    }

    @Test(
        "no first byte of a peer that ends at once is lost, and nothing is left of the channels",
        .tags(.random),
        arguments: drivers
    )
    func early(driver: CurlTransport.Configuration.Driver) async throws {
        try await AbruptPeer.run {
            Array("greeting \($0)".utf8)
        } _: { peer async throws in
            try await withTransport(driver) { transport in
                let target = ChannelTarget(host: "127.0.0.1", port: peer.port)
                let count = ProofLength.count(2_000, full: 100_000)
                var before = (files: 0, pages: 0)
                for number in 0..<count {
                    let probe = ChannelProbe(endsWithPeer: true)
                    try probe.open(target, on: transport)
                    try await probe.waitForEnd()
                    let state = probe.now
                    try #require(state.received == Data("greeting \(number)".utf8), "\(String(describing: state.end))")
                    try #require(state.peerEnd == true && state.endCount == 1 && state.lateEvents == [])
                    // Threads, caches and the allocator's memory exist after the first ones.
                    if number == 200 { before = try Self.resources() }
                }
                let after = try Self.resources()
                #expect(after.files <= before.files + 2)
                #expect(after.pages - before.pages < 4_096, "\(after.pages - before.pages) pages")
            }
        }
    }

    @Test("a loop that ends keeps no channel that has signalled itself", arguments: drivers)
    func signalsAtTheEnd(driver: CurlTransport.Configuration.Driver) async throws {
        try await WireServer.run { peer in
            try await peer.readToEnd()
        } _: { server async throws in
            weak var loop: TransferLoop?
            do {
                var configuration = CurlTransport.Configuration()
                configuration.driver = driver
                let transport = CurlTransport(configuration)
                loop = transport.loop
                let signaller = SelfSignaller()
                _ = try transport.open(ChannelTarget(host: "127.0.0.1", port: server.port), handler: signaller)
                try await signaller.began.value()
                await transport.shutdown()
                try await signaller.ended.value()
            }
            #expect(loop == nil)
        }
    }

    /// The open descriptors and the resident pages of this process.
    private static func resources() throws -> (files: Int, pages: Int) {
        let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        let numbers = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return (files, numbers.count > 1 ? Int(numbers[1]) ?? 0 : 0)
    }
}
