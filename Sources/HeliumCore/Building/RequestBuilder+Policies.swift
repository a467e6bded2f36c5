// What a call does about failures and redirects.
extension RequestBuilder {
    /// Sets when this call is attempted again: `.never`, `.attempts(5)`, or a policy of your own.
    public func retry(_ policy: RetryPolicy) -> Self { with { $0.settings.retry = policy } }

    /// Says whether doing this call twice is as good as doing it once, whatever its method.
    ///
    /// By default that is so for idempotent methods (GET, HEAD, PUT, DELETE, OPTIONS, TRACE) and for calls with an
    /// ``IdempotencyKey``. A request that never left is repeated in any case.
    public func retryable(_ isRetryable: Bool = true) -> Self { with { $0.settings.isRetryable = isRetryable } }

    /// Gives the call a key that makes repeating it safe: all its attempts carry the same one.
    ///
    /// A builder that is sent twice sends the same key twice: for the server that is one call. Leave the key to
    /// ``ClientOptions/methodsWithIdempotencyKeys`` to get a new one for each call.
    public func idempotencyKey(_ key: IdempotencyKey = .random()) -> Self { with { $0.settings.idempotencyKey = key } }

    /// Sets which redirects this call follows.
    public func redirects(_ policy: RedirectPolicy) -> Self { with { $0.settings.redirects = policy } }
}

extension RequestBuilder {
    /// Hands over what tolerant types (``LossyArray``, ``LossyDictionary``, ``OpenEnum``) left out or did not know in the
    /// answer; not called where there was nothing.
    ///
    /// - Parameter handler: Called before the call returns; known secrets are masked in what it gets.
    public func reportingFindings(_ handler: @escaping @Sendable (DecodingReport) -> Void) -> Self {
        var copy = self
        copy.reader = reader.reporting(to: handler)
        return copy
    }
}
