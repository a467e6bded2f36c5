/// Runs tasks on the loop's thread, between two of its turns.
///
/// A task retains its executor, which is the loop and not the transport. The transport ends when its user releases it.
extension TransferLoop: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // After the end, and if no thread can be started, the global concurrent executor runs the job.
        if !accept(job) { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
    }
}

extension LoopWorker {
    /// The duration in nanoseconds above which a job is reported.
    private static let longJob: UInt64 = 5_000_000

    /// Runs the due jobs. Jobs that they enqueue run in the next turn.
    func runJobs() {
        swap(&due, &loop.queue.jobs)
        let executor = loop.asUnownedTaskExecutor()
        var start = LoopTurn.read()
        for job in due {
            job.runSynchronously(on: executor)
            let end = LoopTurn.read()
            if end &- start > LoopWorker.longJob { loop.onLongJob?(.nanoseconds(end &- start)) }
            start = end
        }
        due.removeAll(keepingCapacity: true)
    }

    /// Passes the remaining jobs to the global concurrent executor, because tasks continue after the end of the loop.
    func giveJobsAway() {
        loop.queue.end()
        // A channel that signalled itself in the last turn keeps the loop, which would keep the channel.
        loop.queue.signalled = []
        let jobs = loop.queue.jobs
        loop.queue.jobs = []
        for job in jobs { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
    }
}
