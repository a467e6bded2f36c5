import Foundation
import HeliumConcurrency
import HeliumKit
import Synchronization
import Testing

@testable import HeliumCLI

/// A command of the tool that runs as a task of this process.
final class CommandRun: Sendable {
    private let process = TaskProcess()
    private let task: Task<Void, Never>

    init(
        _ arguments: [String],
        input: FileHandle,
        output: FileHandle,
        errors: FileHandle,
        environment: [String: String] = [:],
        folder: URL? = nil,
        clock: any HeliumClock = SystemClock()
    ) {
        // If a test reads no more, the write fails instead of ending the tests.
        _ = Foundation.signal(SIGPIPE, SIG_IGN)
        let context = CommandContext(
            input: input,
            output: output,
            error: errors,
            environment: Tool.inherited.merging(environment) { $1 },
            folder: folder?.path,
            clock: clock,
            process: process
        )
        task = Task { [process] in process.end(await HeliumCommand.execute(arguments, in: context)) }
    }

    /// Sends a signal to the command. Without a handler, it cancels the command, which then ends by the signal.
    func signal(_ number: Int32) {
        if !process.signal(number) { task.cancel() }
    }

    /// Whether the command has ended.
    var hasEnded: Bool { process.status.isSettled }

    /// Waits for the end. A command that takes longer than ``Tool/limit`` is given up.
    ///
    /// - Returns: The exit code, or the number of the signal that has ended the command.
    func status() async throws -> Int32 {
        let killer = Task {
            try await Task.sleep(for: Tool.limit)
            signal(SIGKILL)
            try await Task.sleep(for: Tool.limit)
            Issue.record("a command that was cancelled goes on: it is given up")
            process.terminate(by: SIGKILL)
        }
        defer { killer.cancel() }
        // A command must not outlive its test, whose files are deleted.
        return try await withTaskCancellationHandler {
            try await process.status.valueIgnoringCancellation()
        } onCancel: {
            task.cancel()
        }
    }
}

/// The process of a command that is only a task. Its signals are calls, and nothing ends it by force.
private final class TaskProcess: ProcessControl {
    private struct Handler {
        let id: Int
        let numbers: [Int32]
        let call: @Sendable (Int32) -> Void
    }

    private struct State {
        var handlers: [Handler] = []
        var count = 0
        /// The signal that ends the command.
        var lastSignal: Int32?
    }

    private let state = Mutex(State())

    /// Settled at the end, with the exit code or the number of a signal.
    let status = Signal<Int32>()

    /// Called at the end of the task.
    func end(_ status: Int32) { self.status.settle(.success(state.withLock(\.lastSignal) ?? status)) }

    /// Calls the handlers of a signal. If there is none, the status becomes the number of the signal when the task ends.
    ///
    /// - Returns: Whether there is a handler.
    func signal(_ number: Int32) -> Bool {
        let handlers = state.withLock { state in
            let handlers = state.handlers.filter { $0.numbers.contains(number) }
            if handlers.isEmpty, state.lastSignal == nil { state.lastSignal = number }
            return handlers
        }
        for handler in handlers { handler.call(number) }
        return !handlers.isEmpty
    }

    func handleSignals(_ numbers: [Int32], _ handler: @escaping @Sendable (Int32) -> Void) -> () -> Void {
        let id = state.withLock { state in
            state.count += 1
            state.handlers.append(Handler(id: state.count, numbers: numbers, call: handler))
            return state.count
        }
        return { [self] in state.withLock { $0.handlers.removeAll { $0.id == id } } }
    }

    // A busy machine may need longer than the grace period, and a task cannot be ended by force. A command that does
    // not end is given up by the limit of the test.
    func end(_ end: ProcessEnd, after delay: Duration, _ prepare: @escaping @Sendable () -> Void) {}

    // Ends the command even if its task goes on: it may wait for a terminal, which no cancellation ends.
    func terminate(by number: Int32) { status.settle(.success(number)) }

    func suspend() { Issue.record("a task cannot be suspended: start a process") }
}
