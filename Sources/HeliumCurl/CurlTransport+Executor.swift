extension CurlTransport {
    /// Runs tasks on the transport's own thread, so that an answered call goes on without a change of threads.
    ///
    /// ```swift
    /// await withTaskExecutorPreference(transport.taskExecutor) {
    ///     for id in ids { await refresh(id) }
    /// }
    /// ```
    /// Many small calls one after the other, or many tasks of them, cost less this way: a call needs neither a lock nor a wake-up
    /// to be sent, and its answer none to be read. Child tasks inherit the preference.
    ///
    /// What runs there holds up every transfer of this transport, and with it their deadlines. So it is not the place for long
    /// computations, and never for code that blocks: what waits there for one of the transport's own answers waits for ever. A
    /// job that runs for more than 5 ms is reported to the handler of ``init(_:onLongJob:)``; the runtime tells a job's end where
    /// its task next suspends.
    ///
    /// The thread starts with the first job, if no request came before. After ``shutdown()``, and once the transport is gone, the
    /// tasks go on where any others run. None is lost.
    public var taskExecutor: any TaskExecutor { loop }
}
