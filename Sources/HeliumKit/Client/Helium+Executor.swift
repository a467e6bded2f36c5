package import HeliumCurl

extension Helium {
    /// A task executor that runs tasks on the thread of the client's connections, so that a call continues without a
    /// change of threads.
    ///
    /// ```swift
    /// await withTaskExecutorPreference(helium.executor) {
    ///     for id in ids { await refresh(id) }
    /// }
    /// ```
    /// Use it for many small calls or messages of WebSockets. Do not use it for long computations or for code that blocks,
    /// because all transfers and WebSockets of the client wait meanwhile. See <doc:TheLoopAsExecutor>.
    ///
    /// The value is `nil` if the client has a transport of your own. `withTaskExecutorPreference` takes `nil` for no
    /// preference.
    public var executor: (any TaskExecutor)? { curlTransport?.taskExecutor }

    /// The transport on whose loop the client's connections live; `nil` if the client has a transport of its user's.
    package var curlTransport: CurlTransport? { pipeline.transport as? CurlTransport }
}
