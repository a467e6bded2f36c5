import AppNet
import Foundation
import HeliumConcurrency
import HeliumCore
import HeliumJSON
import HeliumServer
import HeliumServerTesting
import HeliumTesting
import Synchronization
import TestSupport
import Testing

@testable import MessageBeast

/// A server in memory, the user `alice`, and an engine of hers.
struct BeastWorld: Sendable {
    static let journal = MessageBeastNames.journalChannelType

    let clock: TestClock
    let server: EmbeddedServer
    let wire: Wire
    let client: AppNetClient
    let account: AppNetUser.ID

    init(
        dialect: AppNetDialect = .appNet,
        wallTime: Duration = .seconds(1_700_000_000),
        skippingSleepsUpTo limit: Duration? = .seconds(600)
    ) async throws {
        clock = TestClock(wallTime: wallTime, skippingSleepsUpTo: limit)
        let random = RandomSource.seeded(4)
        let server = try EmbeddedServer(.repeatable(clock: clock, random: random))
        let transport = try InMemoryTransport(server, clock: clock)
        self.server = server
        wire = Wire(transport)
        let appNet = transport.ready.appNet
        var configuration = AppNetConfiguration(
            token: "alice-token",
            dialect: dialect,
            baseURL: dialect == .pnut ? appNet.pnut : appNet.root
        )
        configuration.environment = ClientEnvironment(transport: wire, clock: clock, random: random)
        client = try AppNetClient(configuration: configuration)
        account = try #require(try await client.users.get(.me).id)
        wire.forget()
    }

    /// An engine of alice's.
    func manager(
        _ store: MessageManager.Store = .memory,
        configuration: MessageManagerConfiguration = .everything,
        geocoder: (any Geocoder)? = nil,
        _ configure: (inout MessageManager.Options) -> Void = { _ in }
    ) throws -> MessageManager {
        var options = MessageManager.Options()
        configure(&options)
        return try MessageManager(
            client: client,
            account: account,
            store: store,
            configuration: configuration,
            options: options,
            geocoder: geocoder
        )
    }

    /// A journal of alice's, made by another device, with `count` messages.
    func filledJournal(
        _ count: Int,
        of manager: MessageManager,
        _ draft: @escaping @Sendable (Int) -> AppNetControl.MessageDraft = { .init(text: "Message \($0) #tag") }
    ) async throws -> AppNetChannel.ID {
        let channel = try await emptyJournal()
        try await fill(channel, count, draft)
        let found = try await manager.privateChannel(ofType: Self.journal)
        #expect(found.id == channel)
        wire.forget()
        return channel
    }

    /// A journal of alice's, made by another device.
    func emptyJournal() async throws -> AppNetChannel.ID {
        let wanted = WantedChannel.content(Self.journal).creation(for: account)
        return try #require(try await client.channels.create(wanted).id)
    }

    @discardableResult
    func fill(
        _ channel: AppNetChannel.ID,
        _ count: Int,
        _ draft: @escaping @Sendable (Int) -> AppNetControl.MessageDraft = { .init(text: "Message \($0) #tag") }
    ) async throws -> [Message.ID] {
        try await server.appNet.fillChannel(channel.text, count: count, by: "alice", draft).map { Message.ID($0) }
    }

    /// The ids of all messages of a channel that are stored, newest first.
    func stored(_ channel: AppNetChannel.ID, by manager: MessageManager) async throws -> [Int] {
        try await manager.page(of: channel, limit: nil).messages.map { $0.message.id?.number ?? -1 }
    }
}

extension MessageManagerConfiguration {
    /// Everything is derived.
    static var everything: Self {
        var configuration = Self()
        configuration.isHashtagExtractionEnabled = true
        configuration.isLocationLookupEnabled = true
        configuration.annotationTypes = [MessageBeastNames.oembed]
        return configuration
    }
}

extension RandomSource {
    /// Numbers that repeat with their seed.
    static func seeded(_ seed: UInt64) -> Self {
        let numbers = Guarded(SeededRandom(seed: seed))
        return Self { numbers.withLock { $0.next() } }
    }
}

extension Annotation {
    /// The annotation as a client sends it.
    var document: JSONValue { .object(["type": .string(type), "value": value ?? .null]) }
}

extension FetchOutcome {
    var summary: FetchSummary? {
        if case .fetched(let summary) = self { summary } else { nil }
    }
}
