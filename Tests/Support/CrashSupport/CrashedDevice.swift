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
            let life = try await live(.after(moment, text: JournalLine.ready.text), seed: random.next() >> 16)
            guard life.wasKilled else {
                throw CrashFinding(
                    "\(name): a child has ended with \(life.status): \(life.lines.suffix(2).map(\.text))"
                )
            }
            if random.oneIn(4) { try await writeElsewhere(5) }
            if number % interval == 0 || number == count { try await check(mayHaveLateRequests: true) }
        }
        return max(1, count)
    }

    mutating func live(
        _ moment: KilledProcess.Moment,
        seed: UInt64,
        _ more: [String] = []
    ) async throws -> ChildProcess {
        let life = try await campaign.child.run(arguments("work", seed: seed) + more, killed: moment)
        for line in life.lines { ledger.add(line) }
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
    ///
    /// - Parameter mayHaveLateRequests: Whether a request of a killed child may have arrived while the next one worked.
    mutating func check(mayHaveLateRequests: Bool = false) async throws {
        let life = try await campaign.child.run(arguments("settle", seed: 0), killed: .never)
        guard life.lines.last == .over else {
            throw CrashFinding("\(name): a child could not settle: \(life.status) \(life.lines.suffix(2).map(\.text))")
        }
        var rest = Ledger.Rest()
        var used: [String: Int] = [:]
        for line in life.lines {
            ledger.add(line)
            switch line {
            case .row(let id, let date, let text):
                rest.device[id] = text
                rest.dates[id] = date
            case .acted(let id): rest.acted.insert(id)
            case .channel(let id, let type): used[type] = id
            case .problem(let problem): throw CrashFinding("\(name): \(problem)")
            default: break
            }
        }
        let client = try campaign.client()
        let live = try await messages(client)
        rest.server = live.mapValues { $0.text ?? "" }
        if let wrong = live.first(where: { rest.dates[$0.key] != Self.date(of: $0.value) }) {
            throw CrashFinding("\(name): the device has another date of \(wrong.key)")
        }
        rest.actions = try await actions(client)
        if let fault = ledger.fault(rest) {
            throw CrashFinding("\(name): \(fault)")
        }
        try await checkChannels(client, used, mayHaveLateRequests: mayHaveLateRequests)
        try await checkFiles(client, mayHaveLateRequests: mayHaveLateRequests)
        await client.close()
    }

    private func messages(_ client: AppNetClient) async throws -> [Int: Message] {
        var messages: [Int: Message] = [:]
        for try await message in client.messages.list(in: AppNetChannel.ID(channel)) where message.isDeleted != true {
            if let id = message.id?.number { messages[id] = message }
        }
        return messages
    }

    /// The date of creation in milliseconds.
    private static func date(of message: Message) -> Int64? {
        message.createdAt.map { Int64(($0.timeIntervalSince1970 * 1000).rounded()) }
    }

    /// The number of live action messages by the id of their target.
    private func actions(_ client: AppNetClient) async throws -> [Int: Int] {
        let annotations = GeneralParameters(includesAnnotations: true)
        let machine = GeneralParameters(includesAnnotations: true, includesMachineOnly: true)
        var counts: [Int: Int] = [:]
        for try await channel in client.channels.created(parameters: annotations) {
            let metadata = channel.annotations?.first { $0.type == MessageBeastNames.actionMetadata }
            guard metadata?.value?["channel_id"]?.stringValue == self.channel, let id = channel.id else { continue }
            for try await message in client.messages.list(in: id, parameters: machine) where message.isDeleted != true {
                let target = message.annotations?.first { $0.type == MessageBeastNames.targetMessage }
                if let id = target?.value?["id"]?.stringValue.flatMap({ Int($0) }) { counts[id, default: 0] += 1 }
            }
        }
        return counts
    }

    /// A file whose creation was cut off is found again, and not made twice. The messages with one refer to it. A creation
    /// that arrives after the next child has looked for the file leaves one that stays incomplete.
    private func checkFiles(_ client: AppNetClient, mayHaveLateRequests: Bool) async throws {
        var files: [File.ID: File] = [:]
        var names: Set<String> = []
        var all = GeneralParameters()
        (all.includesIncomplete, all.includesPrivate) = (true, true)
        for try await file in client.files.own(parameters: all) {
            guard let id = file.id, let name = file.name, name.hasPrefix("Filed \(type) ") else { continue }
            files[id] = file
            if names.insert(name).inserted { continue }
            guard mayHaveLateRequests, files.values.count(where: { $0.name == name && $0.isComplete == true }) < 2
            else {
                throw CrashFinding("\(self.name): there are two files \(name)")
            }
            CrashProgram.say("crash: \(self.name): a creation of the file \(name) was late")
        }
        let parameters = GeneralParameters(includesAnnotations: true)
        for try await message in client.messages.list(in: AppNetChannel.ID(channel), parameters: parameters) {
            guard let text = message.text, text.hasPrefix("Filed \(type) "), message.isDeleted != true else { continue }
            let attachments = message.annotations?.first { $0.type == MessageBeastNames.attachments }
            let list = attachments?.value?[MessageBeastNames.fileList]?.arrayValue ?? []
            let ids = list.compactMap { $0["file_id"]?.stringValue }
            let file = ids.count == 1 ? files[File.ID(ids[0])] : nil
            guard file?.name == text, file?.isComplete == true, file?.size == text.utf8.count else {
                throw CrashFinding("\(name): \"\(text)\" refers to \(ids)")
            }
        }
    }

    /// A channel whose creation was cut off is found again, and not made twice. A creation that arrives after the next
    /// child has looked for the channel makes a second one; then the device uses the lowest (Docs/Protocols/MessageBeast.md
    /// §5.1).
    private func checkChannels(
        _ client: AppNetClient,
        _ used: [String: Int],
        mayHaveLateRequests: Bool
    ) async throws {
        var ids: [String: [Int]] = [:]
        for try await channel in client.channels.created() {
            guard let type = channel.type?.rawValue, type.hasPrefix(self.type), let id = channel.id?.number else {
                continue
            }
            ids[type, default: []].append(id)
        }
        for (type, ids) in ids where ids.count > 1 {
            guard mayHaveLateRequests else {
                throw CrashFinding("\(name): there are two channels of the type \(type)")
            }
            CrashProgram.say(
                "crash: \(name): a creation of the type \(type) was late: there are the channels \(ids.sorted())"
            )
            if let id = used[type], id != ids.min() {
                throw CrashFinding("\(name): the device uses the channel \(id) of the type \(type), and not the lowest")
            }
        }
    }
}
