import AppNet
import Foundation
import HeliumKit
import HeliumServer
import HeliumServerTesting
import MessageBeast
import TestSupport

/// A file, and the children that use it one after the other.
struct CrashedDevice {
    let campaign: Campaign
    let name: String
    /// The id of the channel, which another device has made.
    let channel: String
    private let type: String
    private var ledger = Ledger()
    private var filled = 0

    /// The number of messages that another device has written at first: several pages.
    private static let firstMessages = 30

    init(_ campaign: Campaign, _ name: String) async throws {
        self.campaign = campaign
        self.name = name
        type = "com.example.crash.\(name)"
        let client = try campaign.client()
        var wanted = AppNetChannel(type: AppNetChannel.Kind(rawValue: type))
        wanted.readers = ACL(isImmutable: false)
        wanted.writers = ACL(isImmutable: true)
        guard let id = try await client.channels.create(wanted).id else { throw CrashFinding("no channel was made") }
        await client.close()
        channel = id.text
        try await writeElsewhere(Self.firstMessages)
    }

    /// Has another device write messages.
    private mutating func writeElsewhere(_ count: Int) async throws {
        let first = filled
        filled += count
        try await campaign.server.appNet.fillChannel(channel, count: count, by: "alice") {
            .init(text: "Elsewhere \(first + $0)")
        }
        ledger.add(others: (first..<filled).map { "Elsewhere \($0)" })
    }

    /// The amount of work that was done.
    var summary: String { "\(ledger.creations.count) messages were created, and \(ledger.deletions.count) deleted" }

    // MARK: Lives

    /// Kills children at random moments.
    ///
    /// - Returns: The number of kills.
    mutating func dieRepeatedly(_ count: Int, checkingEach interval: Int, _ random: inout SeededRandom) async throws
        -> Int
    {
        for number in 1...max(1, count) {
            let moment = Duration.milliseconds(random.below(300))
            let life = try await live(.after(moment), seed: random.next() >> 16)
            guard life.wasKilled else {
                throw CrashFinding(
                    "\(name): a child has ended with \(life.status): \(life.lines.suffix(2).map(\.text))"
                )
            }
            if random.oneIn(4) { try await writeElsewhere(5) }
            if number % interval == 0 || number == count { try await check() }
        }
        return max(1, count)
    }

    mutating func live(
        _ plan: ChildProcess.Plan,
        seed: UInt64,
        _ more: [String] = []
    ) async throws -> ChildProcess.Life {
        let life = try await ChildProcess.run(arguments("work", seed: seed) + more, killed: plan)
        for line in life.lines { ledger.add(line) }
        // Other threads of the child may have written lines before the signal came.
        for case .point(let reached) in life.lines where !more.contains(reached) {
            throw CrashFinding("the point \(reached) is reached: take it from the list of those that are not")
        }
        return life
    }

    private func arguments(_ mode: String, seed: UInt64) -> [String] {
        let database = campaign.folder.appendingPathComponent("\(name).sqlite").path
        return [
            mode, "--database", database, "--server", campaign.base.absoluteString, "--type", type, "--seed", "\(seed)",
        ]
    }

    // MARK: The oracle

    /// Lets a child come to rest, and compares what it has with the server and with what was acknowledged.
    mutating func check() async throws {
        let life = try await ChildProcess.run(arguments("settle", seed: 0), killed: .never)
        guard life.lines.last == .over else {
            throw CrashFinding("\(name): a child could not settle: \(life.status) \(life.lines.suffix(2).map(\.text))")
        }
        var device: [Int: String] = [:]
        for line in life.lines {
            ledger.add(line)
            switch line {
            case .row(let id, let text): device[id] = text
            case .problem(let problem): throw CrashFinding("\(name): \(problem)")
            default: break
            }
        }
        let client = try campaign.client()
        if let fault = ledger.fault(server: try await messages(client), device: device) {
            throw CrashFinding("\(name): \(fault)")
        }
        try await checkChannels(client)
        await client.close()
    }

    private func messages(_ client: AppNetClient) async throws -> [Int: String] {
        var messages: [Int: String] = [:]
        for try await message in client.messages.list(in: AppNetChannel.ID(channel)) where message.isDeleted != true {
            if let id = message.id?.number { messages[id] = message.text }
        }
        return messages
    }

    /// A channel whose creation was cut off is found again, and not made twice.
    private func checkChannels(_ client: AppNetClient) async throws {
        var types: Set<String> = []
        for try await channel in client.channels.created() {
            guard let type = channel.type?.rawValue, type.hasPrefix(self.type) else { continue }
            if !types.insert(type).inserted {
                throw CrashFinding("\(name): there are two channels of the type \(type)")
            }
        }
    }
}
