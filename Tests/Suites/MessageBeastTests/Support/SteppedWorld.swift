import AppNet
import Foundation
import GRDB
import HeliumCore
import HeliumDatabase
import HeliumServer
import Testing

@testable import MessageBeast

/// A server, and an engine whose accesses to the database and to the service go wrong where a test says.
struct SteppedWorld: Sendable {
    /// A way in which one access goes wrong.
    enum Way: CaseIterable, Sendable {
        case cancelled
        /// The database or the request fails. A request has not reached the service.
        case failed
        /// The database fails, or the response to the request is lost.
        case unanswered
    }

    let world: BeastWorld
    let manager: MessageManager
    let faults = WriteFaults()
    /// A channel with messages that the engine has not fetched.
    let journal: AppNetChannel.ID
    private let queue: DatabaseQueue

    init() async throws {
        world = try await BeastWorld()
        queue = try DatabaseQueue()
        let faults = faults
        var options = MessageManager.Options()
        (options.pageSize, options.sendsAutomatically) = (2, false)
        manager = try MessageManager(
            client: world.client,
            account: world.account,
            database: try BeastDatabase(
                DatabaseAccess(queue, passing: { try faults.pass($0) }),
                account: world.account.text
            ),
            owners: SoleOwner(own: "00000000-0000-4000-8000-000000000001"),
            configuration: .everything,
            options: options,
            geocoder: nil
        )
        journal = try await world.filledJournal(5, of: manager)
    }

    /// Plans that the access with a number goes wrong.
    func arm(_ number: Int, _ way: Way) {
        let codes: [ResultCode] = [.SQLITE_BUSY, .SQLITE_FULL, .SQLITE_READONLY]
        faults.arm(way == .cancelled ? .cancelled(at: number) : .failing(at: number, codes[number % codes.count]))
        world.wire.set { [faults] _ in
            do {
                try faults.access(mayFail: true)
                return .pass
            } catch {
                guard way == .failed else { return .loseResponse }
                return .fail(TransportFailure(.connectionFailed, delivery: .notSent, message: "no network"))
            }
        }
    }

    func disarm() {
        faults.disarm()
        world.wire.set(nil)
    }

    /// Everything that the store and the service have, without what depends on times and random numbers.
    func contents() async throws -> String {
        let queries = [
            // A channel that the service has kept from a call that failed may have messages, and is read from its start.
            """
            SELECT id, kind, action_type, target_channel_id, query_params_json,
                CASE id WHEN '\(journal)' THEN full_sync_state END AS full_sync_state FROM channel ORDER BY id
            """,
            """
            SELECT CASE kind WHEN 'sent' THEN id END AS id, channel_id, kind, hidden, text FROM message
            ORDER BY channel_id, text, kind
            """,
            """
            SELECT m.text, t.folded, t.name FROM hashtag_instance AS t JOIN message AS m USING (local_id)
            ORDER BY m.text, t.folded
            """,
            "SELECT state, attempts FROM outbox ORDER BY local_id",
            "SELECT message_id FROM pending_message_deletion ORDER BY message_id",
        ]
        let rows = try await queue.writeWithoutTransaction { database in
            try queries.map { try Row.fetchAll(database, sql: $0).map(\.description).joined(separator: "\n") }
        }
        var parameters = GeneralParameters(includesDeleted: false, includesMachineOnly: true)
        parameters.includesInactive = true
        var service: [String] = []
        let channels = try await world.client.channels.created(parameters: parameters).page(PageBounds(count: 200))
            .elements
        for channel in channels.compactMap(\.id).sorted(by: { $0.text < $1.text }) {
            let facts = channels.first { $0.id == channel }
            let isInactive = facts?.isInactive == true
            let state = "\(isInactive ? "inactive" : "active") \(facts?.youSubscribed == true ? "subscribed" : "")"
            let texts =
                isInactive
                ? []
                : try await world.client.messages.list(in: channel, parameters: parameters)
                    .page(PageBounds(count: 200)).elements.filter { $0.isDeleted != true }.map { $0.text ?? "-" }
            service.append("channel \(channel) \(state): \(texts)")
        }
        return (rows + service).joined(separator: "\n\n")
    }

    /// The problems that a check of the store finds.
    func problems() throws -> [String] {
        try queue.writeWithoutTransaction { try StoreCheck(database: $0).problems() }
    }
}

/// A public call of several transactions, or of a request and a transaction. It continues when it is repeated.
struct SteppedCall: Sendable, CustomTestStringConvertible {
    typealias Step = @Sendable (SteppedWorld) async throws -> Void

    let name: String
    /// Makes what is there before.
    var prepare: Step = { _ in }
    let call: Step

    var testDescription: String { name }

    static let all = fetches + sweeps + channels

    private static let fetches = [
        Self(name: "fetchNewest") {
            try await $0.manager.fullSync(of: $0.journal).run()
            try await $0.world.fill($0.journal, 5) { .init(text: "Later \($0) #tag") }
        } call: {
            _ = try await $0.manager.fetchNewest(in: $0.journal)
        },
        Self(name: "fetchMore to the end") {
            // More than there are pages.
            for _ in 0..<6 { _ = try await $0.manager.fetchMore(in: $0.journal) }
        },
        Self(name: "fullSync") { try await $0.manager.fullSync(of: $0.journal).run() },
        Self(name: "reconcile") {
            try await $0.manager.fullSync(of: $0.journal).run()
            let stored = try await $0.manager.page(of: $0.journal, limit: nil).messages.compactMap(\.message.id)
            for id in stored.dropFirst().prefix(2) { _ = try await $0.world.client.messages.delete(id, in: $0.journal) }
        } call: {
            _ = try await $0.manager.reconcile($0.journal)
        },
        Self(name: "sendAll") { world in
            try await world.manager.fullSync(of: world.journal).run()
            for text in ["One", "Two", "Three"] {
                _ = try await world.manager.create(Message(text: text), in: world.journal, sendsImmediately: false)
            }
            let sent = try await world.manager.page(of: world.journal, limit: nil).messages.first { $0.state == .sent }
            try await world.manager.delete(try #require(sent?.message.id))
        } call: {
            try await $0.manager.sendAll()
        },
    ]

    private static let sweeps = [
        Self(name: "apply a retention") {
            try await $0.manager.fullSync(of: $0.journal).run()
        } call: {
            try await $0.manager.apply(MessageRetention(maximumCount: 2), to: $0.journal)
        },
        Self(name: "rebuild") {
            try await $0.manager.fullSync(of: $0.journal).run()
        } call: {
            try await $0.manager.rebuild()
        },
        Self(name: "start") {
            try await $0.manager.fullSync(of: $0.journal).run()
        } call: {
            try await $0.manager.start()
        },
        Self(name: "wipe") {
            try await $0.manager.fullSync(of: $0.journal).run()
            _ = try await $0.manager.create(Message(text: "Unsent"), in: $0.journal)
        } call: {
            try await $0.manager.wipe()
        },
    ]

    private static let channels = [
        Self(name: "privateChannel") { _ = try await $0.manager.privateChannel(ofType: "com.example.notes") },
        Self(name: "actions.channel") {
            _ = try await $0.manager.actions.channel(ofType: "com.example.favorite", target: $0.journal)
        },
        Self(name: "initializeChannels") {
            let actions = ["com.example.favorite", "com.example.read"]
            let target = ChannelSpec(type: "com.example.notes")
            try await ChannelSyncManager(
                manager: $0.manager,
                specs: TargetWithActionChannelsSpecSet(target: target, actionTypes: actions)
            ).initializeChannels()
        },
        Self(name: "deactivate") {
            try await $0.manager.fullSync(of: $0.journal).run()
        } call: {
            try await $0.manager.deactivate($0.journal)
        },
    ]
}
