/// Decides which call gets which connection, and which connections are opened and closed.
///
/// A value without I/O. The caller reports what happens, with the time in nanoseconds of a clock that never goes back,
/// and carries out ``actions`` after each operation, in order. Calls and connections are named by handles, and their
/// states are in arrays, so that no operation searches, retains or allocates. Each costs at most O(log n) of the groups
/// and connections, apart from the calls that it serves and the connections that it closes.
///
/// - Waiting calls are served first come first served within a group. Where the ceiling of all connections is reached,
///   the same holds for all groups: a connection that becomes free is closed if a call of another group came before
///   those of its own. A stream on an open HTTP/2 connection takes nothing from other groups and is always given.
/// - An attempt to open a connection belongs to one waiting call. If that call ends or is served otherwise, the attempt
///   is passed on to the next call of its group without one. If there is none, the attempt of a call that was served goes
///   on: calls that come as fast as before need its connection, and would begin and lose attempts again and again. It is
///   closed as idle connections are: where its place is needed, or after the idle limit. Other attempts are closed, and
///   so are those that would bring a connection with HTTP/2, of which one is enough.
/// - Calls that need HTTP/1.1 begin an attempt each. Calls that accept HTTP/2 wait for one attempt at a time, because
///   the connection may have room for all of them; they begin one each once the group's last connection chose HTTP/1.1.
/// - Groups whose calls use prior knowledge are counted apart from all others, with the same ceilings.
struct ConnectionPool<Group: Hashable> {
    let configuration: Configuration
    /// The decisions since the caller last emptied the array.
    var actions: [PoolAction] = []

    var calls: ContiguousArray<PoolCallEntry> = []
    var connections: ContiguousArray<PoolConnectionEntry> = []
    var groups: ContiguousArray<PoolGroupEntry> = []
    /// The keys of the groups. They are apart, so that nothing is retained when an entry is read.
    var groupKeys: ContiguousArray<Group?> = []
    var freeCalls: ContiguousArray<Int32> = []
    var freeConnections: ContiguousArray<Int32> = []
    var freeGroups: ContiguousArray<Int32> = []
    var groupIndices: [Group: Int32] = [:]
    /// The group that was asked for last, unless it is unused.
    var lastGroup: Int32?

    var waitingLinks = PoolLinks()
    var pendingLinks = PoolLinks()
    var groupIdleLinks = PoolLinks()
    var idleLinks = PoolLinks()
    var roomLinks = PoolLinks()
    var unusedLinks = PoolLinks()

    /// The groups without calls and connections, the last used last. They are kept for their ``PoolGroupEntry/choice``.
    var unused = PoolList()
    /// The counts of the two kinds of group: at `false` all groups but those of prior knowledge.
    var shared = PoolPair(Shared())
    /// The times at which open connections are to be looked at: no later than their deadlines.
    var timers = PoolHeap()
    var nextOrder: UInt64 = 0

    /// The number of waiting calls without an attempt.
    var pendingCount = 0
    /// The number of connections opened so far, including failed attempts.
    var openedCount = 0
    /// The number of calls so far that were assigned to a connection that had a call before.
    var reusedCount = 0

    init(_ configuration: Configuration) { self.configuration = configuration }
}

extension ConnectionPool {
    /// The ceilings and times of a pool.
    struct Configuration: Hashable, Sendable {
        /// The maximum number of connections of a group, including those that are being opened.
        var maximumPerGroup = 128
        /// The maximum number of connections.
        var maximum = 256
        /// The maximum number of idle connections. Beyond it, the one that is idle longest is closed.
        var maximumIdle = 128
        /// The time in nanoseconds after which an idle connection, or an attempt without a call, is closed.
        var idleLimit: UInt64 = 60_000_000_000
        /// The time in nanoseconds after which a connection takes no more calls.
        var maximumAge = UInt64.max
        /// The number of groups without calls and connections whose last protocol is remembered.
        var maximumUnusedGroups = 256
    }

    /// The connections of all groups of a kind.
    struct Shared: Sendable {
        var connectionCount = 0
        /// The idle connections, and the attempts that go on without a call. The one that is idle longest is first.
        var idle = PoolList()
        /// The groups that could open a connection if the ceiling of all allowed it, or have an attempt for a call, by
        /// the order of that call.
        var wanting = PoolHeap()
    }

    /// The time at which ``expire(now:)`` has something to do; the highest number if never.
    var nextDeadline: UInt64 { timers.lowestKey }

    /// The order of the earliest call that would begin an attempt if the ceiling of all connections allowed it; the highest
    /// number if there is none. The heap is not copied for it.
    func earliestWanting(_ isPriorKnowledge: Bool) -> UInt64 {
        isPriorKnowledge ? shared.http2.wanting.lowestKey : shared.http1.wanting.lowestKey
    }

    func handle(ofCall index: Int32) -> PoolCall {
        PoolCall(index: index, generation: calls[Int(index)].generation)
    }

    func handle(ofConnection index: Int32) -> PoolConnection {
        PoolConnection(index: index, generation: connections[Int(index)].generation)
    }

    func isCurrent(_ call: PoolCall) -> Bool { calls[Int(call.index)].generation == call.generation }

    func isCurrent(_ connection: PoolConnection) -> Bool {
        connections[Int(connection.index)].generation == connection.generation
    }
}
