package import Synchronization

#if HELIUM_TSAN

    /// A `Mutex` whose synchronization Thread Sanitizer can observe.
    ///
    /// On Linux, the standard library's mutex waits inside of code that the sanitizer does not observe, so it reports
    /// races for all state behind a contended lock. Every owner also accesses a flag, from which the sanitizer learns
    /// the mutex's order.
    package struct Guarded<Value: ~Copyable>: ~Copyable, Sendable {
        private let mutex: Mutex<Value>
        private let order = Atomic<Bool>(false)

        /// Creates a lock around `value`.
        package init(_ value: consuming sending Value) { mutex = Mutex(value) }

        /// Runs `body` with exclusive access to the value.
        package borrowing func withLock<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            try mutex.withLock { value throws(Failure) -> sending Result in
                _ = order.load(ordering: .acquiring)
                defer { order.store(true, ordering: .releasing) }
                return try body(&value)
            }
        }
    }

#else

    /// The standard library's lock. In builds for Thread Sanitizer (`make test-tsan` defines `HELIUM_TSAN`) it is a
    /// wrapper that the sanitizer can follow. In other builds, the wrapper would cost more than the lock itself.
    package typealias Guarded = Mutex

#endif
