package import Synchronization

#if HELIUM_TSAN

    /// A `Mutex` whose hand-overs Thread Sanitizer sees.
    ///
    /// On Linux the standard library's mutex waits inside of code that the sanitizer does not observe, so that whatever a
    /// contended lock guards is reported as a race. The flag beside it is touched by every owner, which tells the sanitizer
    /// the order that the mutex gives.
    package struct Guarded<Value: ~Copyable>: ~Copyable, Sendable {
        private let mutex: Mutex<Value>
        private let order = Atomic<Bool>(false)

        /// A lock around `value`.
        package init(_ value: consuming sending Value) { mutex = Mutex(value) }

        /// Runs `body` with the value while no one else can.
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

    /// The standard library's lock. In builds for Thread Sanitizer (`make test-tsan` defines `HELIUM_TSAN`) it is a type of
    /// ours around it, which the sanitizer can follow; elsewhere that would cost more than the lock itself.
    package typealias Guarded = Mutex

#endif
