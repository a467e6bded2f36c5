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
