import AppNet
import HeliumCore
import HeliumTesting
import TestSupport
import Testing

@testable import MessageBeast

/// No state without a way out (Docs/Protocols/MessageBeast.md §4.9).
@Suite("A service that answers with one status for ever", .timeLimit(.minutes(5)), .tags(.random))
struct EndlessStatusTests {
    /// The statuses of the table: first one of each end, then the others and the last of all.
    private static let distinct = [401, 403, 404, 429, 500, 507, 400, 408, 410, 422, 425, 503, 599]

    /// The distinct statuses; in `make prove` all from 400 to 599.
    private static let statuses: [Int] = {
        let others = (400..<600).filter { !distinct.contains($0) }
        return Array((distinct + others).prefix(ProofLength.count(distinct.count, full: 200)))
    }()

    /// The statuses, so many together that a case takes less than a second.
    private static let groups = stride(from: 0, to: statuses.count, by: 25).map { start in
        Array(statuses[start..<min(start + 25, statuses.count)])
    }

    @Test(
        "nothing is stuck, nothing is repeated without bound, and the user can give it up",
        arguments: Subject.allCases,
        groups
    )
    func givenUp(subject: Subject, statuses: [Int]) async throws {
        let scene = try await EndlessStatus(subject)
        for status in statuses {
            let (_, id) = try await scene.begin(status)
            let before = scene.refusalCount
            let end = try await scene.send(status, id)
            #expect(end == subject.end(status), "\(subject) \(status)")
            // Each call asks for an attempt. Without them, a waiting subject is tried at most each five minutes.
            let limit = 2 * (end == .waits ? EndlessStatus.calls : EndlessStatus.attempts)
            #expect(scene.refusalCount - before <= limit, "\(subject) \(status)")
            if end == .parked {
                let count = scene.refusalCount
                try await scene.manager.sendAll()
                #expect(scene.refusalCount == count, "\(subject) \(status)")
                // A parked subject does not block fetches.
                if subject != .search {
                    #expect(try await scene.manager.fetchNewest(in: scene.channel).summary != nil, "\(status)")
                }
            }
            try await scene.giveUp(end, id)
            scene.world.wire.set(nil)
            try await scene.manager.sendAll()
        }
        #expect(try await scene.manager.fetchNewest(in: scene.channel).summary != nil)
        try await scene.manager.sendAll()
        // What was found out or deleted too late is deleted by the fetch that meets it.
        let live = try await scene.live()
        switch subject {
        case .message, .search, .cancelledMessage, .file, .fileContent: #expect(live == [])
        case .deletion:
            let kept = statuses.filter { subject.end($0) == .parked }.map { "deletion \($0)" }
            // The service still has the messages that it called missing.
            #expect(Set(live).subtracting(["deletion 404", "deletion 410"]) == Set(kept))
        case .fileDeletion: break
        }
        #expect(try await scene.manager.check() == [])
        await scene.manager.stop()
    }

    @Test("what waits or is parked goes on when the service works again", arguments: Subject.allCases)
    func resumed(subject: Subject) async throws {
        let scene = try await EndlessStatus(subject)
        var expected: Set<String> = []
        for status in Self.distinct.prefix(ProofLength.count(6, full: Self.distinct.count)) {
            let (text, id) = try await scene.begin(status)
            let end = try await scene.send(status, id)
            scene.world.wire.set(nil)
            switch (subject, end) {
            case (.deletion, .parked): try await scene.manager.retryDeletion(of: id)
            case (.fileDeletion, .parked): try await scene.manager.retryFileDeletion(of: File.ID(id.text))
            case (_, .parked): try await scene.manager.retry(id)
            case (_, .done), (_, .waits): break
            }
            try await scene.manager.sendAll()
            _ = try await scene.manager.fetchNewest(in: scene.channel)
            try await scene.manager.sendAll()
            #expect(try await scene.manager.pendingSummary().isEmpty, "\(subject) \(status)")
            let isExpected =
                switch subject {
                case .message, .search, .file, .fileContent: true
                // The service still has a message that it called missing.
                case .deletion: end == .done
                case .cancelledMessage, .fileDeletion: false
                }
            if isExpected { expected.insert(text) }
            let live = try await scene.live()
            #expect(live.count == expected.count && Set(live) == expected, "\(subject) \(status)")
        }
        #expect(try await scene.manager.check() == [])
        await scene.manager.stop()
    }

    @Test("reads of a channel end with an error after few attempts", arguments: groups)
    func reads(statuses: [Int]) async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.sendsAutomatically = false }
        let channel = try await world.filledJournal(2, of: manager)
        for status in statuses {
            world.wire.set { _ in .respond(.failure(status)) }
            world.wire.forget()
            await #expect(throws: AppNetError.self) { try await manager.fetchNewest(in: channel) }
            await #expect(throws: AppNetError.self) { try await manager.fullSync(of: channel).run() }
            await #expect(throws: AppNetError.self) { try await manager.privateChannel(ofType: "com.example.other") }
            #expect(world.wire.requests.count <= 3 * 5, "\(status)")
        }
        world.wire.set(nil)
        #expect(try await manager.fetchNewest(in: channel).summary?.inserted == 2)
        #expect(try await manager.channels().count == 1)
        await manager.stop()
    }
}
