import HeliumJSON
import JetstreamCore

/// A fetched tree of a client, with a copy that observers make of it.
final class Document {
    let id: ScopeID
    let scope: Scope
    /// The root until the document ends.
    private(set) var root: Folder?
    private unowned let world: SyncWorld
    private let turn = Turn()
    /// The copy until the document ends.
    private var copy: ObservedCopy?
    /// Whether the last state that came was applied.
    var isCurrent = false
    /// Whether a state is being taken, with its callbacks.
    private(set) var isTakingState = false
    /// The number of nested closures whose changes a set combines.
    private var closures = 0
    /// The part of the app that observes the document now; `nil` if there is none.
    private var visitor: Visitor?
    /// An actor that observes the document as long as the visitor.
    private var room: Room?
    private let executor = TurnExecutor()
    private var pauses = 0
    /// Objects that were taken out of the tree, of which some come back.
    var removed: [any ModelObject] = []
    /// The last change sets.
    private(set) var sets: [ChangeSet] = []

    /// - Parameter copiesAtOnce: Whether observers are called with each change instead of once a turn.
    init(_ id: ScopeID, of client: String, copiesAtOnce: Bool, in world: SyncWorld) {
        self.id = id
        self.world = world
        let root = Folder(uuid: world.identifier())
        self.root = root
        scope = Scope(name: SyncWorld.scope, root: root)
        copy = ObservedCopy(of: root, turn: copiesAtOnce ? nil : turn) { [unowned world] report in
            world.note("\(client) sees \(report)")
        }
    }

    /// Calls the observers that wait for a turn's end.
    func endTurn() {
        while !turn.isEmpty { turn.flush() }
        executor.runJobs()
        if executor.hasReported { world.count(.callbackOnActor) }
        executor.hasReported = false
    }

    func remember(_ set: ChangeSet) {
        sets.append(set)
        visitor?.watch(set)
        if sets.count > 4 { sets.removeFirst() }
    }

    func end() {
        (visitor, room) = (nil, nil)
        scope.detachSession()
        isCurrent = false
        endTurn()
        world.expectFreed(copy?.kept ?? [])
        // A cycle that an app retains when the root is removed belongs to the app.
        (sets, removed, copy, root) = ([], [], nil, nil)
        scope.removeRoot()
    }

    // MARK: Change sets

    /// Whether the closure of a change set is running. Nothing may be submitted until it returns.
    var isMaking: Bool { closures > 0 }

    @discardableResult
    func modify(_ changes: () -> Void) -> ChangeSet { scope.modify { combine(changes) } }

    @discardableResult
    func modifyAtomically(_ changes: () -> Void) -> ChangeSet { scope.modifyAtomically { combine(changes) } }

    @discardableResult
    func modify(procedure: String, constraints: [Constraint]? = nil, _ changes: () -> Void) -> ChangeSet {
        scope.modifyWithProcedure(procedure, constraints: constraints) { combine(changes) }
    }

    private func combine(_ changes: () -> Void) {
        closures += 1
        changes()
        closures -= 1
    }

    // MARK: Deliveries and visitors

    func take(_ delivery: ScopeDelivery) {
        if case .state = delivery {
            isCurrent = false
            isTakingState = true
        }
        scope.receive(delivery)
        isTakingState = false
    }

    /// Lets parts of the app come and go, one after another.
    func beginVisits(_ client: String) {
        world.after(world.delay(0...3000)) { [weak self] in
            guard let self, scope.isAttached, !world.isCalm else { return }
            visitor = Visitor("\(client)'s visitor", of: self, in: world)
            room = Room(on: executor)
            room?.observe(scope.allObjects)
            world.after(world.delay(100...8000)) { [weak self] in
                guard let self else { return }
                visitor = nil
                leaveRoom(client)
                beginVisits(client)
            }
        }
    }

    /// Releases the actor, which nothing else may retain after the turn.
    private func leaveRoom(_ client: String) {
        weak let left = room
        room = nil
        world.after(.milliseconds(1)) { [world, executor] in
            executor.runJobs()
            if left != nil { world.fail("an actor of \(client) that has gone is retained") }
        }
    }

    // MARK: Pauses

    func pause() {
        pauses += 1
        scope.pauseIncomingMessages()
        world.after(world.delay(20...3000)) { [weak self] in
            guard let self, pauses > 0 else { return }
            pauses -= 1
            scope.resumeIncomingMessages()
        }
    }

    func endPauses() {
        while pauses > 0 {
            pauses -= 1
            scope.resumeIncomingMessages()
        }
    }

    // MARK: Values

    /// The number in a value; `nil` in others.
    static func token(of value: JSONValue) -> Int? {
        switch value {
        case .string(let text) where text.hasPrefix("t"): Int(text.dropFirst())
        case .number(let number): number.doubleValue.map { Int($0) }
        default: nil
        }
    }

    // MARK: Checks

    /// Compares the tree with the server's and with the observers' copy.
    func check(_ client: String, against state: JSONValue) throws {
        guard let root, let copy else { throw Finding("\(client)'s document has ended") }
        let (server, own) = (TreeText.lines(of: state), TreeText.syncedLines(below: root))
        if server != own {
            throw Finding("\(client)'s tree differs from the server's: \(Self.difference(own, server))")
        }
        let all = TreeText.lines(of: scope, root: root)
        if copy.lines != all {
            throw Finding("observers of \(client)'s tree made another: \(Self.difference(copy.lines, all))")
        }
        let states = scope.allObjects.allSatisfy { $0.scope === scope }
        if !states { throw Finding("an object of \(client)'s tree is not in its scope") }
    }

    private static func difference(_ left: [String], _ right: [String]) -> String {
        "\(Set(left).subtracting(right).sorted()) | \(Set(right).subtracting(left).sorted())"
    }
}
