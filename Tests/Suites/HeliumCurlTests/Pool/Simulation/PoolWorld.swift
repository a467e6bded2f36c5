@testable import HeliumCurl

/// The calls, connections and servers of a ``PoolSimulation``: carries out the actions of the pool, and notes the rules
/// that it violates.
final class PoolWorld {
    final class Call {
        enum State { case waiting, assigned, ended }

        let handle: PoolCall
        let group: Int
        let order: Int
        var acceptsHTTP2: Bool
        var state = State.waiting
        /// The attempt that the call waits for, or the connection that it is assigned to.
        var connection: Connection?

        init(_ handle: PoolCall, group: Int, order: Int, acceptsHTTP2: Bool) {
            self.handle = handle
            self.group = group
            self.order = order
            self.acceptsHTTP2 = acceptsHTTP2
        }

        var isPending: Bool { state == .waiting && connection == nil }
    }

    final class Connection {
        enum State { case connecting, open, goingAway, ended }

        let handle: PoolConnection
        let group: Int
        let offersHTTP2: Bool
        /// The call that began the attempt, if it has waited for it ever since.
        var beginner: Call?
        var owner: Call?
        /// Whether the attempt goes on without a call.
        var isSpare = false
        var state = State.connecting
        var isHTTP2 = false
        var limit = 1
        var calls: [Call] = []
        var isUsed = false
        /// The position in the order in which connections became idle.
        var idleOrder = 0
        var idleDeadline = UInt64.max
        var ageDeadline = UInt64.max

        init(_ handle: PoolConnection, group: Int, offersHTTP2: Bool, for call: Call) {
            self.handle = handle
            self.group = group
            self.offersHTTP2 = offersHTTP2
            beginner = call
            owner = call
        }

        var isIdleOrSpare: Bool { isIdle || (state == .connecting && isSpare) }
        var isIdle: Bool { state == .open && calls.isEmpty }
        var hasRoom: Bool { state == .open && calls.count < limit }
        var isClosedGate: Bool { state == .open && isHTTP2 && limit == 0 }

        func takes(_ call: Call) -> Bool { call.group == group && (call.acceptsHTTP2 || !isHTTP2) }
        func isOver(_ now: UInt64) -> Bool { now >= ageDeadline || (calls.isEmpty && now >= idleDeadline) }
    }

    let configuration: ConnectionPool<Int>.Configuration
    var pool: ConnectionPool<Int>
    var now: UInt64 = 0
    private(set) var calls: [PoolCall: Call] = [:]
    private(set) var connections: [PoolConnection: Connection] = [:]
    var faults: [String] = []
    /// Whether the operation under way gives new room, which needs no place from another group.
    var givesNewRoom = false
    /// The connection that the operation under way takes a call off.
    var released: Connection?
    /// The group whose idle connections the operation under way closes.
    private var distrusted: Int?
    private var arrivals = 0
    private var idles = 0
    private var opened = 0
    private var reused = 0

    init(_ configuration: ConnectionPool<Int>.Configuration) {
        self.configuration = configuration
        pool = ConnectionPool(configuration)
    }

    func expect(_ condition: Bool, _ rule: @autoclosure () -> String) {
        if !condition { faults.append(rule()) }
    }

    /// Two of three groups have TLS or clear text, the third prior knowledge.
    static func isPriorKnowledge(_ group: Int) -> Bool { group % 3 == 2 }

    func liveCalls(_ isIncluded: (Call) -> Bool) -> [Call] {
        calls.values.filter(isIncluded).sorted { $0.order < $1.order }
    }

    func liveConnections(_ isIncluded: (Connection) -> Bool) -> [Connection] {
        connections.values.filter(isIncluded).sorted { $0.handle.index < $1.handle.index }
    }
}

// MARK: Operations

extension PoolWorld {
    /// Performs an operation of the pool, carries out its actions, and checks the state afterwards.
    func perform(_ operation: (inout ConnectionPool<Int>) -> Void) {
        operation(&pool)
        carryOut()
        checkState()
        givesNewRoom = false
        released = nil
        distrusted = nil
    }

    func request(_ group: Int, _ protocols: PoolProtocols) {
        perform {
            let handle = $0.request(group, protocols, now: now)
            expect(calls[handle] == nil, "a handle is used twice")
            calls[handle] = Call(handle, group: group, order: arrivals, acceptsHTTP2: protocols != .http1)
            arrivals += 1
        }
    }

    /// Closes the idle connections of a group, except those with HTTP/2.
    func distrust(_ group: Int) {
        let idle = liveConnections { $0.group == group && $0.isIdle && !$0.isHTTP2 }
        distrusted = group
        perform { $0.closeIdle(group) }
        expect(idle.allSatisfy { $0.state == .ended }, "an idle connection of the group is left")
    }

    /// Takes an ended or waiting call out of the world.
    func end(_ call: Call) {
        call.state = .ended
        leave(call)
        calls[call.handle] = nil
    }

    func leave(_ call: Call) {
        guard let connection = call.connection else { return }
        if connection.owner === call { connection.owner = nil }
        let count = connection.calls.count
        connection.calls.removeAll { $0 === call }
        if count > 0, connection.calls.isEmpty { noteIdle(connection, nil) }
        call.connection = nil
    }

    func noteIdle(_ connection: Connection, _ peerLimit: UInt64?) {
        idles += 1
        connection.idleOrder = idles
        let peer = peerLimit.map { $0 > 1_000_000_000 ? $0 - 1_000_000_000 : 0 } ?? .max
        connection.idleDeadline = now + min(configuration.idleLimit, peer)
    }

    func remove(_ connection: Connection) {
        connection.state = .ended
        connections[connection.handle] = nil
    }
}

// MARK: Actions

extension PoolWorld {
    private func carryOut() {
        let actions = pool.actions
        pool.actions.removeAll(keepingCapacity: true)
        for action in actions {
            switch action {
            case .open(let connection, let call, let offersHTTP2): open(connection, call, offersHTTP2)
            case .join(let call, let connection): join(call, connection)
            case .wait(let call): wait(call)
            case .assign(let call, let connection, let isReused): assign(call, connection, isReused)
            case .fail(let call, let connection): fail(call, connection)
            case .close(let connection): close(connection)
            }
        }
    }

    private func open(_ handle: PoolConnection, _ call: PoolCall, _ offersHTTP2: Bool) {
        guard let call = calls[call] else { return faults.append("an attempt for an unknown call") }
        expect(connections[handle] == nil, "a connection is opened twice")
        expect(call.isPending, "an attempt for a call that does not need one")
        expect(
            offersHTTP2 == call.acceptsHTTP2,
            "an attempt offers what its call does not accept, or the other way round"
        )
        for other in calls.values where other.isPending && other.order < call.order && isSameKind(other, call) {
            expect(
                other.group != call.group || other.acceptsHTTP2 != call.acceptsHTTP2,
                "a later call of a group opens first"
            )
            expect(other.group == call.group || !mayOpen(other), "a later call of another group opens first")
        }
        let connection = Connection(handle, group: call.group, offersHTTP2: offersHTTP2, for: call)
        connections[handle] = connection
        call.connection = connection
        opened += 1
        checkCeilings()
    }

    private func join(_ call: PoolCall, _ connection: PoolConnection) {
        guard let call = calls[call], let connection = connections[connection] else {
            return faults.append("an unknown call or attempt is joined")
        }
        expect(call.isPending, "a call that needs no attempt joins one")
        expect(connection.state == .connecting && connection.owner == nil, "an attempt with an owner is joined")
        expect(call.group == connection.group, "an attempt of another group is joined")
        expect(call.acceptsHTTP2 == connection.offersHTTP2, "an attempt of the other kind is joined")
        connection.owner = call
        connection.beginner = nil
        connection.isSpare = false
        call.connection = connection
    }

    private func wait(_ call: PoolCall) {
        guard let call = calls[call] else { return faults.append("an unknown call waits") }
        expect(call.isPending, "a call with an attempt waits without one")
    }

    private func assign(_ call: PoolCall, _ connection: PoolConnection, _ isReused: Bool) {
        guard let call = calls[call], let connection = connections[connection] else {
            return faults.append("an unknown call or connection is assigned")
        }
        expect(call.state == .waiting, "a call is assigned twice")
        expect(connection.takes(call), "a call is assigned to a connection that it can't use")
        expect(connection.state == .open, "a call is assigned to a connection that takes none")
        expect(connection.calls.count < connection.limit, "too many calls on a connection")
        let isOver = connection === released ? now >= connection.ageDeadline : connection.isOver(now)
        expect(givesNewRoom || !isOver, "a call is assigned to a connection whose time is over")
        expect(isReused == connection.isUsed, "wrong about reuse")
        for other in calls.values where other.state == .waiting && other.order < call.order {
            expect(!connection.takes(other), "a later call is served first")
            guard !givesNewRoom, connection.calls.isEmpty, isSameKind(other, call), other.group != call.group else {
                continue
            }
            expect(!(other.isPending && mayOpen(other)), "a later call of another group is served first")
        }
        if connection.isIdle, !givesNewRoom {
            let isBetter = connections.values.contains {
                $0 !== connection && $0.isIdle && $0.takes(call) && $0.isHTTP2 == connection.isHTTP2 && !$0.isHTTP2
                    && $0.idleOrder > connection.idleOrder && !$0.isOver(now)
            }
            expect(!isBetter, "not the newest idle connection")
        }
        if let attempt = call.connection, attempt.owner === call {
            attempt.owner = nil
            attempt.isSpare = !attempt.offersHTTP2 || choice(of: attempt.group) == .http1
            noteIdle(attempt, nil)
        }
        call.state = .assigned
        call.connection = connection
        connection.calls.append(call)
        if isReused { reused += 1 }
        connection.isUsed = true
    }

    private func fail(_ call: PoolCall, _ connection: PoolConnection) {
        guard let call = calls[call] else { return faults.append("an unknown call fails") }
        expect(call.state == .waiting && call.connection?.handle == connection, "a call fails for another's attempt")
        expect(call.connection?.beginner === call, "a call fails for an attempt that it did not begin")
        expect(call.connection?.state == .ended, "a call fails for an attempt that did not")
        end(call)
    }

    private func close(_ connection: PoolConnection) {
        guard let connection = connections[connection] else { return faults.append("an unknown connection is closed") }
        expect(connection.calls.isEmpty, "a connection with calls is closed")
        expect(connection.owner == nil, "an attempt that is waited for is closed")
        if connection.state == .connecting {
            let isWanted = calls.values.contains {
                $0.isPending && $0.group == connection.group && $0.acceptsHTTP2 == connection.offersHTTP2
            }
            // One without a call makes room for calls of other groups, for which there is a reason.
            expect(!isWanted || connection.isSpare, "an attempt is closed beside a call that waits")
        }
        if connection.state == .open || connection.isSpare, !connection.isOver(now) { checkReason(of: connection) }
        remove(connection)
    }

    /// Expects a reason to close an open connection, or an attempt without a call.
    private func checkReason(of connection: Connection) {
        if connection.group == distrusted, !connection.isHTTP2 { return }
        let isPriorKnowledge = Self.isPriorKnowledge(connection.group)
        let idle = connections.values.filter { $0.isIdleOrSpare && Self.isPriorKnowledge($0.group) == isPriorKnowledge }
        let isOldest = !idle.contains { $0.idleOrder < connection.idleOrder }
        if idle.count > configuration.maximumIdle, isOldest { return }
        let pending = calls.values.filter { $0.isPending && Self.isPriorKnowledge($0.group) == isPriorKnowledge }
        let isFull = connectionCount(isPriorKnowledge) >= configuration.maximum
        if isFull, isOldest, pending.contains(where: { mayOpen($0) }) { return }
        let next = calls.values.filter { $0.state == .waiting && connection.takes($0) }.map(\.order).min()
        if isFull, let next, pending.contains(where: { $0.order < next && mayOpen($0) }) { return }
        let isSpareForHTTP2 = connection.isSpare && connection.offersHTTP2
        let isGroupFull = connectionCount(of: connection.group) >= configuration.maximumPerGroup
        if isGroupFull, connection.isHTTP2 || isSpareForHTTP2,
            pending.contains(where: { $0.group == connection.group && !$0.acceptsHTTP2 })
        {
            return
        }
        faults.append("a connection is closed without a reason")
    }
}

// MARK: The state

extension PoolWorld {
    private func isSameKind(_ first: Call, _ second: Call) -> Bool {
        Self.isPriorKnowledge(first.group) == Self.isPriorKnowledge(second.group)
    }

    private func connectionCount(_ isPriorKnowledge: Bool) -> Int {
        connections.values.count { Self.isPriorKnowledge($0.group) == isPriorKnowledge }
    }

    private func connectionCount(of group: Int) -> Int { connections.values.count { $0.group == group } }

    /// Whether only the ceiling of all connections keeps a call from opening one.
    private func mayOpen(_ call: Call) -> Bool {
        let own = connections.values.filter { $0.group == call.group }
        let isFull = own.count >= configuration.maximumPerGroup
        let spare = own.filter(\.isSpare)
        guard call.acceptsHTTP2 else {
            return !isFull || !spare.isEmpty || own.contains { $0.isIdle && $0.isHTTP2 }
        }
        if spare.contains(where: \.offersHTTP2) { return true }
        guard !isFull, !own.contains(where: \.isClosedGate) else { return false }
        return choice(of: call.group) == .http1 || !own.contains { $0.state == .connecting && $0.offersHTTP2 }
    }

    /// The protocol of the group's last connection that offered a choice.
    private func choice(of group: Int) -> PoolGroupEntry.Choice? {
        pool.groupIndices[group].map { pool.groups[Int($0)].choice }
    }

    private func checkCeilings() {
        for isPriorKnowledge in [false, true] {
            expect(connectionCount(isPriorKnowledge) <= configuration.maximum, "too many connections")
        }
        for group in Set(connections.values.map(\.group)) {
            expect(connectionCount(of: group) <= configuration.maximumPerGroup, "too many connections of a group")
        }
    }

    private func checkState() {
        checkCeilings()
        for isPriorKnowledge in [false, true] {
            let own = connections.values.filter { Self.isPriorKnowledge($0.group) == isPriorKnowledge }
            let idle = own.count(where: \.isIdleOrSpare)
            expect(idle <= configuration.maximumIdle, "too many idle connections")
            for call in calls.values where Self.isPriorKnowledge(call.group) == isPriorKnowledge {
                guard call.isPending, mayOpen(call) else { continue }
                expect(connectionCount(isPriorKnowledge) >= configuration.maximum, "a call waits while it could open")
                expect(idle == 0, "a call waits while others are idle")
            }
        }
        for connection in connections.values {
            let isAttempt = connection.state == .connecting
            expect(isAttempt || connection.owner == nil, "a connection is waited for")
            expect(!isAttempt || (connection.owner == nil) == connection.isSpare, "an attempt without a call")
            expect(connection.state != .goingAway || !connection.calls.isEmpty, "a connection stays without use")
            // One that is too old was perhaps retired when a call looked at it.
            guard connection.state == .open || connection.isSpare,
                connection.calls.isEmpty || now < connection.ageDeadline
            else { continue }
            let due = connection.calls.isEmpty ? connection.idleDeadline : .max
            expect(pool.nextDeadline <= min(due, connection.ageDeadline), "a deadline is not known")
            guard connection.hasRoom else { continue }
            let isMissed = calls.values.contains { $0.state == .waiting && connection.takes($0) }
            expect(!isMissed, "a call waits beside a connection with room")
        }
        expect(pool.pendingCount == calls.values.count(where: \.isPending), "wrong number of waiting calls")
        expect(pool.openedCount == opened && pool.reusedCount == reused, "wrong numbers of connections")
        var seen = 0
        pool.forEachGroup { group, counts in
            let own = connections.values.filter { $0.group == group }
            seen += own.count
            let idle = own.count(where: \.isIdle)
            expect(counts == .init(busy: own.count - idle, idle: idle), "wrong numbers of a group")
        }
        expect(seen == connections.count, "a group is missing")
        expect(pool.unused.count <= configuration.maximumUnusedGroups, "too many groups are remembered")
    }

    /// Expects that nothing is left.
    func checkEnd() {
        expect(
            calls.isEmpty && connections.isEmpty,
            "\(calls.count) calls and \(connections.count) connections are left"
        )
        expect(pool.freeCalls.count == pool.calls.count, "calls leak")
        expect(pool.freeConnections.count == pool.connections.count, "connections leak")
        expect(pool.freeGroups.count + pool.unused.count == pool.groups.count, "groups leak")
        expect(pool.groupIndices.count == pool.unused.count, "groups are still known")
        expect(pool.timers.isEmpty && pool.nextDeadline == .max, "a timer is left")
        for shared in [pool.shared.http1, pool.shared.http2] {
            expect(shared.connectionCount == 0 && shared.idle.isEmpty && shared.wanting.isEmpty, "something is counted")
        }
    }
}
