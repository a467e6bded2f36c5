import AppNet
import Foundation
import GRDB
import TestSupport
import Testing

@testable import MessageBeast

/// The contract of every call that writes: a call that throws has changed nothing, and a call that returns has done
/// everything, and has woken the loops that have something to do now.
@Suite("The contract of calls that write", .timeLimit(.minutes(5)), .tags(.random))
struct WriteContractTests {
    private struct Outcome {
        var result: Result<String, any Error>
        var before: String
        var after: String
        var woken: Set<EngineLoop>
        var writingRequests: Int
        /// Whether the fault has happened. If it has not, the call has fewer accesses.
        var hasHappened: Bool
    }

    /// Makes a call in a new world.
    private static func run(_ call: WritingCall, _ fault: WriteFault?) async throws -> Outcome {
        let world = try WriteWorld(fault)
        let body = try await call.prepare(world)
        let before = try world.contents()
        _ = world.takeWoken()
        world.faults.arm(fault)
        let start = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for await _ in start.stream { break }
            return try await body(world)
        }
        world.faults.onCancel { task.cancel() }
        if case .cancelledBefore? = fault { task.cancel() }
        start.continuation.finish()
        let result = await task.result
        let happened = world.faults.hasHappened
        let requests = world.faults.writingRequests
        world.faults.disarm()
        return Outcome(
            result: result,
            before: before,
            after: try world.contents(),
            woken: world.takeWoken(),
            writingRequests: requests,
            hasHappened: happened
        )
    }

    /// Whether each access and each change has its turn. Otherwise there are gaps among the later ones, of which some calls
    /// have many.
    private static let isComplete = ProofLength.count(1, full: 2) > 1

    /// Makes a call with each fault, and compares it with one that nothing disturbs.
    private static func check(_ call: WritingCall, _ faults: ((Int) -> WriteFault)...) async throws {
        let reference = try await run(call, nil)
        _ = try reference.result.get()
        for fault in faults {
            var number = 0
            while try await check(call, fault(number), reference) { number += isComplete ? 1 : 1 + number / 2 }
        }
    }

    /// Makes a call with a fault, and compares it with one that nothing disturbs.
    ///
    /// - Returns: Whether the fault has happened.
    private static func check(_ call: WritingCall, _ fault: WriteFault, _ reference: Outcome) async throws -> Bool {
        let outcome = try await run(call, fault)
        let comment: Comment = "\(call.name), \(fault)"
        #expect(outcome.before == reference.before, comment)
        switch outcome.result {
        case .success(let found):
            #expect(try found == reference.result.get(), comment)
            #expect(outcome.after == reference.after, comment)
            #expect(outcome.woken == reference.woken, comment)
        case .failure:
            #expect(outcome.after == outcome.before, comment)
            #expect(outcome.woken == [], comment)
        }
        #expect(outcome.writingRequests == 0, comment)
        return outcome.hasHappened
    }

    @Test(
        "a call that is cancelled, before or at any access, throws and has changed nothing, or returns",
        arguments: WritingCall.all
    )
    func cancellation(_ call: WritingCall) async throws {
        try await Self.check(call, { _ in .cancelledBefore }, { .cancelled(at: $0) })
    }

    private static let codes: [ResultCode] = [.SQLITE_BUSY, .SQLITE_FULL, .SQLITE_READONLY]

    /// Each access fails with one of the codes in turn; in `make prove` with all of them.
    @Test(
        "a call whose database is busy, full or read-only at any access throws and has changed nothing, or returns",
        arguments: WritingCall.all
    )
    func failures(_ call: WritingCall) async throws {
        for turn in 0..<ProofLength.count(1, full: Self.codes.count) {
            try await Self.check(call, { .failing(at: $0, Self.codes[($0 + turn) % Self.codes.count]) })
        }
    }

    /// After `SQLITE_FULL` and `SQLITE_IOERR`, SQLite itself has rolled back the transaction. After the others it has not.
    private static let changeCodes = [.SQLITE_IOERR] + codes

    /// Each change fails with one of the codes in turn; in `make prove` with all of them.
    @Test(
        """
        a call whose database is busy, full, read-only or unreadable at the change of any row throws and has changed \
        nothing
        """,
        arguments: WritingCall.all
    )
    func changes(_ call: WritingCall) async throws {
        let codes = Self.changeCodes
        for turn in 0..<ProofLength.count(1, full: codes.count) {
            try await Self.check(call, { .failingChange(at: $0, codes[($0 + turn) % codes.count]) })
        }
    }

    @Test(
        "a call that SQLite interrupts at any statement, reads too, throws and has changed nothing, or returns",
        arguments: WritingCall.all
    )
    func statements(_ call: WritingCall) async throws {
        try await Self.check(call, { .interruptedStatement(at: $0) })
    }

    @Test(
        "a stored channel does not get other parameters if the store is wiped, or the channel removed, during the call"
    )
    func parametersOfRemovedChannel() async throws {
        let removals: [@Sendable (WriteWorld) -> Void] = [
            { $0.manager.context.life.renew() },
            { world in #expect(throws: Never.self) { try world.execute("DELETE FROM channel WHERE id = '100'") } },
        ]
        // The first access looks the channel up, the second one begins the transaction.
        for (access, removal) in removals.enumerated() {
            let world = try WriteWorld()
            world.faults.arm(.cancelled(at: access))
            world.faults.onCancel { removal(world) }
            await #expect(throws: MessageBeastError.self) {
                try await world.manager.privateChannel(
                    ofType: MessageBeastNames.journalChannelType,
                    parameters: GeneralParameters(includesDeleted: true)
                )
            }
            world.faults.disarm()
            let channels = try await world.manager.channels()
            #expect(
                channels.map(\.id) == (access == 0 ? [WriteWorld.journal, WriteWorld.actions] : [WriteWorld.actions])
            )
        }
    }

    @Test("a message that was posted is returned, whatever fails afterwards")
    func posting() async throws {
        for number in 0... {
            for code in [nil, ResultCode.SQLITE_FULL] {
                let world = try WriteWorld()
                world.faults.arm(code.map { .failing(at: number, $0) } ?? .cancelled(at: number))
                let task = Task { try await world.manager.post(Message(text: "Posted"), in: WriteWorld.journal) }
                world.faults.onCancel { task.cancel() }
                let result = await task.result
                let comment: Comment = "access \(number), \(String(describing: code))"
                if world.faults.writingRequests == 0 {
                    #expect(throws: (any Error).self, comment) { try result.get() }
                } else {
                    #expect(try result.get().message.id == "900", comment)
                }
                if !world.faults.hasHappened { return }
            }
        }
    }
}
