/// Runs tasks on the loop's thread, between two turns of libcurl.
///
/// A task keeps its executor alive: the loop, not the transport, which ends when its user lets go of it.
extension TransferLoop: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // After the end, and where no thread can be started, any other serves.
        if !accept(job) { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
    }
}

extension LoopWorker {
    /// A job that holds the loop for longer than these nanoseconds is reported.
    private static let longJob: UInt64 = 5_000_000

    /// Runs the jobs that are due. What they put up is for the next turn.
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

    /// The end of the loop is not the end of the tasks that prefer it.
    func giveJobsAway() {
        loop.queue.end()
        let jobs = loop.queue.jobs
        loop.queue.jobs = []
        for job in jobs { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
    }
}
