internal import HeliumCurl

extension Helium {
    /// Runs tasks on the thread of the client's connections: a call that was answered goes on without a change of threads.
    ///
    /// ```swift
    /// await withTaskExecutorPreference(helium.executor) {
    ///     for id in ids { await refresh(id) }
    /// }
    /// ```
    /// Use it for many small calls; not for long computations, and never for code that blocks, because all of the client's
    /// transfers wait meanwhile. See <doc:TheLoopAsExecutor>. `nil` with a transport of your own, which
    /// `withTaskExecutorPreference` takes for no preference.
    public var executor: (any TaskExecutor)? { (pipeline.transport as? CurlTransport)?.taskExecutor }
}
