import Foundation

/// Returns the processor time that this thread takes for `body`. Unlike the time on a clock, it does not grow while other
/// threads and processes have the processor.
package func processorTime<Failure>(of body: () throws(Failure) -> Void) throws(Failure) -> Duration {
    let start = threadTime()
    try body()
    return threadTime() - start
}

private func threadTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
