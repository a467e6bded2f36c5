import ArgumentParser
import Foundation
import HeliumConcurrency
import HeliumKit
import JetstreamCore
import Synchronization

/// The `helium jetstream edit URL SCOPE` command.
struct JetstreamEditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Send change sets from stdin and print the changes of the scope.",
        discussion: """
            Each line is a change set: {"fragments":[{"type":"change","uuid":…,"clsName":…,"properties":{…}}]}, \
            optionally with "atomic":true and "procedure":"Card.rename". All are sent in one session, in their order. \
            Events are printed as by watch, and {"event":"reply","line":1,"fragmentReplies":[…]} for each line. At the \
            end of the input the command waits for all replies, for each at most --timeout. An invalid line ends the \
            input. After an invalid line or a rejected change, the exit code is 1. SIGHUP, SIGINT and SIGTERM interrupt the \
            command: it is unknown whether change sets without a reply were carried out.
            """
    )

    @OptionGroup var options: JetstreamOptions

    func run() async throws {
        let (options, input) = (options, StandardInput())
        try await JetstreamRun.perform(options, stopping: { input.stop() }) { scope in
            let edit = Edit(scope: scope, format: options.format, limit: options.limit)
            var event = try await JetstreamRun.first(scope, options)
            let reading = Task { try await edit.read(input) }
            defer {
                reading.cancel()
                input.stop()
            }
            while let next = event {
                try edit.show(next)
                event = try await edit.next()
            }
            try await reading.value
            if edit.hasFailed { throw ExitCode(1) }
        }
    }
}

/// One run of `helium jetstream edit`.
private final class Edit: Sendable {
    private struct State {
        /// The lines whose change sets have no outcome yet.
        var pending: [MirroredChanges: Int] = [:]
        var hasEnded = false
        var hasFailed = false
        /// Settled when more input can be read.
        var room: Signal<Void>?
        /// The time from which the oldest pending line waits for its reply: the end of the input, or the previous
        /// reply.
        var waitingSince = Duration.zero
    }

    /// The maximum number of change sets that wait for a reply. Reading pauses when it is reached.
    private static let maximumPending = 1000

    private let scope: MirroredScope
    private let format: JetstreamOutputFormat
    /// The maximum time for a reply after the end of the input.
    private let limit: Duration
    private let clock = CommandContext.current.clock
    private let state = Guarded(State())
    /// Settled when the input has ended.
    private let inputEnd = Signal<Void>()
    /// Settled when the input has ended and all change sets have an outcome.
    private let done = Signal<Void>()

    init(scope: MirroredScope, format: JetstreamOutputFormat, limit: Duration) {
        self.scope = scope
        self.format = format
        self.limit = limit
    }

    /// Whether a change set was rejected, or a line was invalid.
    var hasFailed: Bool { state.withLock { $0.hasFailed } }

    // MARK: Events

    /// Returns the next event; `nil` when the input has ended and all change sets have an outcome.
    ///
    /// - Throws: The error that ends the scope; `DeadlineExceeded` if a reply takes too long after the end of the
    ///   input.
    func next() async throws -> MirrorEvent? {
        let (scope, done) = (scope, done)
        return try await withThrowingTaskGroup(of: MirrorEvent?.self) { group in
            group.addTask { try await scope.next() }
            group.addTask {
                try await done.value()
                return nil
            }
            group.addTask { [self] in
                try await inputEnd.value()
                let start = state.withLock { $0.waitingSince }
                try await clock.sleep(for: max(start + limit - clock.uptime, .zero))
                throw DeadlineExceeded()
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    func show(_ event: MirrorEvent) throws {
        guard case .settled(let changes, let result) = event else {
            if let text = JetstreamLines.text(event, format) { try Console.current.stream(text) }
            return
        }
        let line = state.withLock { $0.pending[changes] }
        guard let line else { return }
        try Console.current.stream(JetstreamLines.text(result, line: line, format))
        var isRefused = true
        switch result {
        case .failure(let error):
            Console.current.note("helium: line \(line): \(JetstreamRun.text(error))")
        case .success(let replies):
            isRefused = replies.contains { !$0.isAccepted }
            for reply in replies {
                guard let error = reply.error else { continue }
                Console.current.note("helium: line \(line): \(error.message)")
            }
        }
        let (room, isDone) = state.withLock { state in
            state.pending[changes] = nil
            state.waitingSince = clock.uptime
            if isRefused { state.hasFailed = true }
            defer { state.room = nil }
            return (state.room, state.hasEnded && state.pending.isEmpty)
        }
        room?.settle()
        if isDone { done.settle() }
    }

    // MARK: Lines

    /// Sends the change sets of the input's lines.
    func read(_ input: StandardInput) async throws {
        defer { end() }
        var lines = EditLines()
        do {
            while true {
                switch try await input.next() {
                case .bytes(let chunk):
                    try await submit { read throws(EditLines.BadLine) in try lines.take(chunk, into: &read) }
                case .end:
                    return try await submit { read throws(EditLines.BadLine) in
                        if let line = try lines.end() { read.append(line) }
                    }
                // A signal interrupts the command. The beginning of a line is not sent.
                case .stopped: return
                }
            }
        } catch let error as EditLines.BadLine {
            Console.current.note("helium: \(error.description); nothing after it is sent")
            state.withLock { $0.hasFailed = true }
        }
    }

    /// Sends the change sets of some lines, including those before an invalid line.
    private func submit(_ take: (inout [EditLines.Line]) throws(EditLines.BadLine) -> Void) async throws {
        var lines: [EditLines.Line] = []
        var badLine: EditLines.BadLine?
        do throws(EditLines.BadLine) { try take(&lines) } catch { badLine = error }
        for line in lines { try await submit(line) }
        if let badLine { throw badLine }
    }

    private func submit(_ line: EditLines.Line) async throws {
        while true {
            let room = state.withLock { state -> Signal<Void>? in
                guard state.pending.count >= Self.maximumPending else { return nil }
                let room = state.room ?? Signal()
                state.room = room
                return room
            }
            guard let room else { break }
            try await room.value()
        }
        do {
            // Submit under the lock, so that the outcome finds the line.
            try state.withLock { state throws(JetstreamError) in
                let changes = try scope.submit(line.fragments, isAtomic: line.isAtomic, procedure: line.procedure)
                state.pending[changes] = line.number
            }
        } catch {
            throw EditLines.BadLine(number: line.number, reason: JetstreamRun.text(error))
        }
    }

    private func end() {
        let isDone = state.withLock { state in
            state.hasEnded = true
            state.waitingSince = clock.uptime
            return state.pending.isEmpty
        }
        if isDone { done.settle() }
        inputEnd.settle()
    }
}
