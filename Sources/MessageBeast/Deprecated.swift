public import AppNet

// Former forms of public API. Each forwards to its replacement.

extension ConnectivityChange {
    /// The former name of ``newMessages(_:)``.
    @available(*, deprecated, renamed: "newMessages(_:)")
    public static func news(_ channel: AppNetChannel.ID) -> Self { .newMessages(channel) }
}
