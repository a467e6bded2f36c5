/// libcurl's own connect timeout. libcurl divides it among a host's addresses, so that one that does not answer leaves time
/// for the next one. So it needs the caller's limit.
enum ConnectLimit {
    private static let week = 604_800_000

    /// Returns libcurl's timeout for a limit of the caller: 500 ms longer, so that libcurl's does not expire first, and at
    /// most a week.
    static func milliseconds(_ limit: Duration?) -> Int {
        guard let limit, limit <= .seconds(600_000) else { return week }
        return Int(max(limit, .zero) / .milliseconds(1)) + 500
    }
}
