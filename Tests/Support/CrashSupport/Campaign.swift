import AppNet
import Foundation
import HeliumKit
import HeliumServer
import HeliumServerTesting
import MessageBeast
import TestSupport

/// The parent: it has the server, and kills its children.
struct Campaign {
    let server: RunningServer
    let child: ChildProgram
    let folder: URL
    let options: CampaignOptions

    /// The number of kills that one file outlives: it must not grow without end.
    private static let killsOfFile = 50
    private static let killsBetweenChecks = 10

    func run() async throws {
        try await killAtPoints()
        var random = SeededRandom(seed: options.seed)
        var kills = 0
        while kills < options.kills {
            var device = try await CrashedDevice(self, "random.\(kills)")
            kills += try await device.dieRepeatedly(
                min(Self.killsOfFile, options.kills - kills),
                checkingEach: Self.killsBetweenChecks,
                &random
            )
            CrashProgram.say("crash: passed \(kills) kills; in the last file, \(device.summary)")
        }
        if options.drained > 0 { try await drainTwice() }
    }

    // MARK: Crash points

    /// Kills children at each crash point, or at some that the seed decides.
    private func killAtPoints() async throws {
        var kills: [() async throws -> Void] = CrashPoint.allCases.map { point in
            { point == .migrating ? try await killMigration() : try await killAt(point) }
        }
        kills += [
            { try await killWhileHeld("C4", "POST") { "/stream/0/channels/\($0)/messages" } },
            { try await killWhileHeld("C7.created", "POST") { _ in "/stream/0/files" } },
            { try await killWhileHeld("C7.stored", "PUT") { _ in "/stream/0/files/" } },
            { try await killWhileHeld("C10", "DELETE") { "/stream/0/channels/\($0)/messages/" } },
        ]
        if let count = options.points, count < kills.count {
            var random = SeededRandom(seed: options.seed)
            kills = Array(kills.shuffled(using: &random).prefix(count))
        }
        for kill in kills { try await kill() }
        CrashProgram.say("crash: passed \(kills.count) points")
    }

    /// Has a child reach a point, at its first passage and at a later one.
    private func killAt(_ point: CrashPoint) async throws {
        for passes in [0, 2] where passes == 0 || point != .channelCreated {
            var device = try await CrashedDevice(self, "point.\(point).\(passes)")
            let more = ["--point", point.rawValue, "--passes", "\(passes)"]
            let life = try await device.live(.never, seed: options.seed, more)
            guard life.wasKilled, life.lines.contains(.point(point.rawValue)) else {
                throw CrashFinding("the point \(point) was not reached: \(life.lines.last.map(\.text) ?? "no line")")
            }
            try await device.check()
        }
    }

    /// Kills a child while the server holds the response to a request that has taken effect.
    ///
    /// - Parameter path: Returns the beginning of the request's path, from the id of the device's channel.
    private func killWhileHeld(_ name: String, _ method: String, _ path: (String) -> String) async throws {
        var device = try await CrashedDevice(self, "held.\(name)")
        let path = path(device.channel)
        let requests = server.requests
        // Files of other devices have such paths too.
        requests.removeAll()
        let fault = server.faults.inject(.delay(.seconds(30)), .path(path, method: method, next: 1))
        let isHeld: @Sendable () -> Bool = {
            requests.entries.contains { $0.method == method && $0.path.hasPrefix(path) }
        }
        let life = try await device.live(.when { isHeld() }, seed: options.seed)
        server.faults.remove(fault)
        guard life.wasKilled, isHeld() else { throw CrashFinding("\(name): no request was held") }
        try await device.check()
    }

    /// Kills a child while it migrates a file of the first schema, and opens the file again.
    private func killMigration() async throws {
        let file = folder.appendingPathComponent("version-1.sqlite")
        guard let fixture = Self.fixture else { throw CrashFinding("the file of the first schema is missing") }
        try FileManager.default.copyItem(at: fixture, to: file)
        let arguments = ["open", "--database", file.path, "--server", base.absoluteString]
        let point = CrashPoint.migrating.rawValue
        let killed = try await child.run(arguments + ["--point", point], killed: .never)
        guard killed.wasKilled, killed.lines.contains(.point(point)) else {
            throw CrashFinding("the point \(point) was not reached")
        }
        let next = try await child.run(arguments, killed: .never)
        guard next.status == 0, next.lines == [.ready, .over] else {
            throw CrashFinding("the file of the first schema: \(next.lines.map(\.text))")
        }
    }

    /// The committed file, looked for from this source file: the program is built where it is run.
    private static var fixture: URL? {
        let file = SharedDocuments.package.appendingPathComponent("Fixtures/messagebeast/version-1.sqlite")
        return FileManager.default.fileExists(atPath: file.path) ? file : nil
    }

    // MARK: Two processes

    /// Two processes send one outbox.
    private func drainTwice() async throws {
        let database = folder.appendingPathComponent("drain.sqlite").path
        let type = "com.example.drain"
        let arguments = ["--database", database, "--server", base.absoluteString, "--type", type]
        let filled = try await child.run(
            ["fill"] + arguments + ["--count", "\(options.drained)"],
            killed: .never
        )
        guard filled.lines.last == .over else { throw CrashFinding("the outbox could not be filled") }
        async let first = child.run(["drain"] + arguments, killed: .never)
        async let second = child.run(["drain"] + arguments, killed: .never)
        let lives = try await [first, second]
        guard lives.allSatisfy({ $0.lines.last == .over }) else { throw CrashFinding("the outbox was not sent") }
        var texts: [String] = []
        let client = try client()
        var parameters = GeneralParameters()
        parameters.includesInactive = false
        for try await channel in client.channels.created(parameters: parameters) {
            guard let id = channel.id, channel.type?.rawValue.hasPrefix(type) == true else { continue }
            for try await message in client.messages.list(in: id) { texts.append(message.text ?? "") }
        }
        await client.close()
        let expected = (0..<options.drained).map { "Drained \($0)" }
        guard texts.sorted() == expected.sorted() else {
            throw CrashFinding(
                "of \(expected.count) messages, \(texts.count) are there, \(Set(texts).count) different ones"
            )
        }
        CrashProgram.say("crash: passed two processes with \(options.drained) messages")
    }

    // MARK: The server

    var base: URL { server.ready.appNet.root }

    func client() throws -> AppNetClient {
        try AppNetClient(configuration: AppNetConfiguration(token: "alice-token", baseURL: base))
    }
}

/// Something that the engine did wrong.
struct CrashFinding: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
