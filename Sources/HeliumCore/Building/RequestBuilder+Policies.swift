// The handling of failures and redirects.
extension RequestBuilder {
    /// Sets the retry policy of this call: `.never`, `.attempts(5)`, or a custom policy.
    public consuming func retry(_ policy: RetryPolicy) -> Self { with { $0.settings.retry = policy } }

    /// Sets whether this call may be repeated safely, whatever its method.
    ///
    /// By default that is the case for idempotent methods (GET, HEAD, PUT, DELETE, OPTIONS, TRACE) and for calls with
    /// an ``IdempotencyKey``. A request that was never sent may be repeated in any case.
    public consuming func retryable(_ isRetryable: Bool = true) -> Self {
        with { $0.settings.isRetryable = isRetryable }
    }

    /// Gives the call a key that makes repeating it safe. All its attempts carry the same key.
    ///
    /// A builder that is sent twice sends the same key twice, which the server treats as one call. To get a new key for
    /// each call, use ``ClientOptions/methodsWithIdempotencyKeys`` instead.
    public consuming func idempotencyKey(_ key: IdempotencyKey = .random()) -> Self {
        with { $0.settings.idempotencyKey = key }
    }

    /// Sets the redirect policy of this call.
    public consuming func redirects(_ policy: RedirectPolicy) -> Self { with { $0.settings.redirects = policy } }
}

extension RequestBuilder {
    /// Reports the values that tolerant types (``LossyArray``, ``LossyDictionary``, ``OpenEnum``) left out or did not
    /// recognize in the response. The handler is not called if there are none.
    ///
    /// - Parameter handler: Called before the call returns. Known secrets are masked in its argument.
    public consuming func reportingFindings(_ handler: @escaping @Sendable (DecodingReport) -> Void) -> Self {
        reader = reader.reporting(to: handler)
        return self
    }
}
