import Dispatch
import Foundation

/// The way in which a process ends.
enum ProcessEnd: Sendable {
    case status(Int32)
    /// The process ends as the signal would end it without a handler, so that the parent process sees the signal.
    case signal(Int32)
}

/// The process of a command, as far as the command receives signals or ends it.
protocol ProcessControl: Sendable {
    /// Calls a handler when one of the signals arrives, in place of the signal's default action. SIGHUP stays ignored if
    /// the process was started with it ignored.
    ///
    /// - Parameter handler: Receives the number of the signal.
    /// - Returns: A function that restores the former actions.
    func handleSignals(
        _ numbers: [Int32],
        _ handler: @escaping @Sendable (Int32) -> Void
    ) -> () -> Void

    /// Ends the process after a delay, unless it has ended before.
    ///
    /// - Parameter prepare: Called immediately before the end.
    func end(_ end: ProcessEnd, after delay: Duration, _ prepare: @escaping @Sendable () -> Void)

    /// Ends the process as the signal would without a handler, so that the parent process sees the signal.
    func terminate(by number: Int32)

    /// Stops the process, as Ctrl-Z does, until it is continued.
    func suspend()
}

/// The process of the tool.
struct SystemProcess: ProcessControl {
    /// The queue of signals and forced exits. A serial queue gets a thread even if all processors are busy. A global
    /// queue does not: it shares its threads with Swift's tasks, which may all be blocked.
    static let queue = DispatchQueue(label: "helium.exit", qos: .userInteractive)

    /// Whether the process was started with SIGHUP ignored, as `nohup` does. SIGINT is not examined: a shell ignores it
    /// for all background commands of a script, which are then ended by `kill -INT`.
    ///
    /// A handler also ignores the signal's default action, so that this is determined before the first handler.
    private static let ignoresHangup: Bool = {
        let former = signal(SIGHUP, SIG_IGN)
        let isIgnored = unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        if !isIgnored { signal(SIGHUP, former) }
        return isIgnored
    }()

    func handleSignals(
        _ numbers: [Int32],
        _ handler: @escaping @Sendable (Int32) -> Void
    ) -> () -> Void {
        let isHangupIgnored = Self.ignoresHangup
        let numbers = numbers.filter { $0 != SIGHUP || !isHangupIgnored }
        let registered = DispatchSemaphore(value: 0)
        let stops = numbers.map { number -> () -> Void in
            let previous = signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: Self.queue)
            source.setEventHandler { handler(number) }
            source.setRegistrationHandler { registered.signal() }
            source.resume()
            return {
                source.cancel()
                _ = signal(number, previous)
            }
        }
        // A signal that arrives before the registration would be lost.
        for _ in numbers { _ = registered.wait(timeout: .now() + .seconds(5)) }
        return { for stop in stops { stop() } }
    }

    func end(_ end: ProcessEnd, after delay: Duration, _ prepare: @escaping @Sendable () -> Void) {
        Self.queue.asyncAfter(deadline: .now() + .milliseconds(max(0, Int(delay / .milliseconds(1))))) { [self] in
            prepare()
            switch end {
            case .status(let status): _exit(status)
            case .signal(let number): terminate(by: number)
            }
        }
    }

    func terminate(by number: Int32) {
        signal(number, SIG_DFL)
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, number)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        pthread_kill(pthread_self(), number)
        _exit(128 + number)
    }

    func suspend() {
        // The signal is sent to this thread. A signal to the process could be handled by another thread, and this one
        // would continue.
        pthread_kill(pthread_self(), SIGSTOP)
    }
}
