extension CurlTransport {
    /// A task executor that runs tasks on the transport's own thread, so that a call continues without a change of
    /// threads.
    ///
    /// ```swift
    /// await withTaskExecutorPreference(transport.taskExecutor) {
    ///     for id in ids { await refresh(id) }
    /// }
    /// ```
    /// Use it for many small calls in sequence, or for many tasks of such calls. A call then needs no lock and no
    /// wake-up to be sent, and its response needs none to be read. Child tasks inherit the preference.
    ///
    /// A job delays every transfer of this transport, and with it their deadlines. Do not run long computations on this
    /// executor, and never code that blocks: code that blocks until one of the transport's own responses arrives never
    /// returns. A job that runs for more than 5 ms is reported to the handler of ``init(_:onLongJob:)``. A job ends at
    /// the next suspension of its task.
    ///
    /// The thread starts with the first job if no request was sent before. After ``shutdown()``, or after the transport
    /// was released, the tasks continue on the global concurrent executor. No task is lost.
    public var taskExecutor: any TaskExecutor { loop }
}
