internal import CThread

/// A thread of its own, outside of Swift's pool. No signal of the process is handled on it.
///
/// `@unchecked`: the handle is a value that never changes. Its type is a pointer on some systems.
package struct SystemThread: @unchecked Sendable {
    /// The error of a thread that the system did not start.
    package struct NotStarted: Error {
        /// The `errno` value.
        package let code: Int32
    }

    private let thread: helium_thread

    /// Starts a thread that runs `body`. Call ``join()`` or ``detach()`` once.
    ///
    /// - Parameters:
    ///   - name: The name in debuggers, at most 15 bytes.
    ///   - body: The work of the thread, which ends with it. Not called if the initializer throws.
    /// - Throws: ``NotStarted``.
    package init(name: StaticString, _ body: @escaping @Sendable () -> Void) throws(NotStarted) {
        var thread = helium_thread()
        let context = Unmanaged.passRetained(Body(run: body))
        let error = name.utf8Start.withMemoryRebound(to: CChar.self, capacity: name.utf8CodeUnitCount + 1) { name in
            helium_thread_start(
                &thread,
                name,
                { context in
                    guard let context else { return }
                    Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                },
                context.toOpaque()
            )
        }
        guard error == 0 else {
            context.release()
            throw NotStarted(code: error)
        }
        self.thread = thread
    }

    /// Waits until the thread has ended. Blocks the calling thread.
    package func join() { helium_thread_join(thread) }

    /// Lets the thread end by itself.
    package func detach() { helium_thread_detach(thread) }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
