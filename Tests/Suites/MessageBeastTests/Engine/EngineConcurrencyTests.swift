import AppNet
import Foundation
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Engines and tasks that use one file at the same time", .timeLimit(.minutes(5)))
struct EngineConcurrencyTests {
    /// The texts of a device's messages on the service, oldest first.
    private func texts(_ world: BeastWorld, _ channel: AppNetChannel.ID) async throws -> [String] {
        let parameters = GeneralParameters(includesDeleted: false)
        return try await world.client.messages.list(in: channel, parameters: parameters).page(PageBounds(count: 200))
            .elements
            .reversed().compactMap(\.text)
    }

    @Test("two engines drain one outbox, each message once and in order, while it is read and observed")
    func twoEngines() async throws {
        // Observers look for changes by other engines again and again: a clock that skips their pauses would run away.
        let world = try await BeastWorld(skippingSleepsUpTo: nil)
        let folder = try TemporaryFolder()
        let file = MessageManager.Store.file(folder.path("journal.sqlite"))
        let first = try world.manager(file) { $0.sendsAutomatically = false }
        let channel = try await first.privateChannel(ofType: BeastWorld.journal).id
        let expected = (1...40).map { "Message \($0)" }
        for text in expected {
            _ = try await first.create(Message(text: text), in: channel, sendsImmediately: false)
        }
        let second = try world.manager(file) { $0.sendsAutomatically = false }
        let observer = ObservationRecorder(first.observeMessages(in: channel, limit: 50))
        let reading = Task<Void, any Error> {
            while !Task.isCancelled {
                let count = try await second.page(of: channel).messages.count
                #expect(count == expected.count)
            }
        }
        try await eventually {
            // A call returns when another engine has the next message.
            async let one: Void = first.sendAll(in: channel)
            async let other: Void = second.sendAll(in: channel)
            _ = try await (one, other)
            return try await first.pendingSummary().isEmpty
        }
        reading.cancel()
        _ = try? await reading.value
        #expect(try await texts(world, channel) == expected)
        #expect(world.wire.requests.count { FileWorld.isPost(line: $0) } == expected.count)
        try await first.checkForChangesOfOtherProcesses()
        try await eventually { observer.values.last?.allSatisfy { $0.state == .sent } == true }
        #expect(try await second.page(of: channel).messages.reversed().map(\.message.text) == expected)
        #expect(try await first.check() == [])
        observer.cancel()
        await first.stop()
        await second.stop()
    }

    @Test("tasks that write, change, delete, fetch and send in two channels have their effects")
    func tasks() async throws {
        let world = try await BeastWorld()
        let folder = try TemporaryFolder()
        let manager = try world.manager(.file(folder.path("journal.sqlite")))
        try await manager.start()
        var channels: [AppNetChannel.ID] = []
        for type in [BeastWorld.journal, "com.example.notes"] {
            channels.append(try await manager.privateChannel(ofType: type).id)
        }
        let expected = try await withThrowingTaskGroup(of: (AppNetChannel.ID, String)?.self) { group in
            for number in 0..<24 {
                let channel = channels[number % 2]
                group.addTask {
                    let created = try await manager.create(Message(text: "Message \(number)"), in: channel)
                    switch number % 6 {
                    case 4:
                        try await manager.delete(try #require(created.message.id))
                        return nil
                    case 5:
                        _ = try await manager.fetchNewest(in: channel)
                        _ = try await manager.search(text: "message", in: channel)
                    default: break
                    }
                    return (channel, "Message \(number)")
                }
            }
            var texts: [AppNetChannel.ID: Set<String>] = [:]
            for try await case (let channel, let text)? in group { texts[channel, default: []].insert(text) }
            return texts
        }
        try await manager.sendAll()
        try await eventually { try await manager.pendingSummary().isEmpty }
        for channel in channels {
            let sent = try await texts(world, channel)
            #expect(Set(sent) == expected[channel] && sent.count == expected[channel]?.count)
            let stored = try await manager.page(of: channel, limit: nil).messages.map(\.message.text)
            #expect(Set(stored) == Set(sent.map(Optional.some)) && stored.count == sent.count)
        }
        #expect(try await manager.check() == [])
        await manager.stop()
    }
}
