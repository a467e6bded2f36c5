package import Synchronization

/// A `Mutex` whose hand-overs Thread Sanitizer sees.
///
/// On Linux the standard library's mutex waits inside of code that the sanitizer does not observe, so that whatever a
/// contended lock guards is reported as a race. The flag beside it is touched by every owner, which tells the sanitizer
/// the order that the mutex gives; it costs a plain load and a plain store.
package struct Guarded<Value: ~Copyable>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<Value>
    @usableFromInline let order = Atomic<Bool>(false)

    /// A lock around `value`.
    @inlinable
    package init(_ value: consuming sending Value) { mutex = Mutex(value) }

    /// Runs `body` with the value while no one else can.
    @inlinable
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
