extension ConnectionPool {
    /// The connections of a group.
    struct GroupConnections: Hashable {
        /// The connections that are being opened or have calls.
        var busy = 0
        var idle = 0
    }

    /// Calls back with the connections of each group that has any. Nothing is counted before this is called.
    func forEachGroup(_ body: (Group, GroupConnections) -> Void) {
        for (group, key) in zip(groups, groupKeys) {
            guard group.connectionCount > 0, let key else { continue }
            let idle = group.idle.http1.count + group.idle.http2.count
            body(key, GroupConnections(busy: group.connectionCount - idle, idle: idle))
        }
    }
}
