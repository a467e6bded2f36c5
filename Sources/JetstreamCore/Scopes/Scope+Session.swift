internal import HeliumCore
internal import HeliumJSON

/// The callbacks of a scope's session. The closures run in the isolation of the scope.
package struct ScopeHooks {
    /// Called when a batch is opened. After ``Scope/changeInterval``, the session calls ``Scope/flush(at:)``.
    package var batchBegan: () -> Void
    /// Submits a change set. Returns the reason if it cannot be sent; the set is then reverted.
    package var submit: (ChangeSet) -> JetstreamError?
    /// Called after a state was applied, with the change sets that were never sent. Their fragments were rebased on the
    /// state.
    package var stateApplied: (_ unsent: [ChangeSet]) -> Void
    /// Called when the scope leaves the session, which then sends nothing more for it. Returns the last change set that
    /// was sent; sets with lower numbers were sent before.
    package var detached: () -> ChangesID?
    /// Called when the scope begins to hold back deliveries, and when it ends that.
    package var paused: (Bool) -> Void
    /// Returns the time of the clock with which the session calls ``Scope/flush(at:)``; `nil` if it does not use one.
    package var uptime: () -> Duration?

    package init(
        batchBegan: @escaping () -> Void,
        submit: @escaping (ChangeSet) -> JetstreamError?,
        stateApplied: @escaping (_ unsent: [ChangeSet]) -> Void,
        detached: @escaping () -> ChangesID? = { nil },
        paused: @escaping (Bool) -> Void = { _ in },
        uptime: @escaping () -> Duration? = { nil }
    ) {
        self.batchBegan = batchBegan
        self.submit = submit
        self.stateApplied = stateApplied
        self.detached = detached
        self.paused = paused
        self.uptime = uptime
    }
}

/// A connection over which one scope sends.
package protocol ScopeSender: AnyObject {
    /// Returns an identifier that no other change set of the client has.
    func makeChangesID() -> ChangesID

    /// Submits a change set. Returns the reason why it was rejected; `nil` if it was accepted.
    func submit(_ changes: OutgoingChanges) -> JetstreamError?

    /// Passes on the change sets that were never sent, after a state was applied.
    func stateApplied(unsent: [OutgoingChanges])

    /// Stops sending for the scope. Returns the last change set that was sent.
    func abandon() -> ChangesID?

    /// Notes whether the scope holds back deliveries.
    func setPaused(_ isPaused: Bool)

    /// The time of the clock with which changes are collected.
    var uptime: Duration { get }
}

extension ScopeHooks {
    /// Creates the hooks of a scope that sends over a connection. They retain the sender.
    package init(_ sender: any ScopeSender, batchBegan: @escaping () -> Void) {
        func outgoing(_ set: ChangeSet) -> OutgoingChanges {
            let id = set.changesID ?? sender.makeChangesID()
            set.changesID = id
            return set.outgoing(as: id)
        }
        self.init(
            batchBegan: batchBegan,
            submit: { sender.submit(outgoing($0)) },
            stateApplied: { unsent in sender.stateApplied(unsent: unsent.map(outgoing)) },
            detached: { sender.abandon() },
            paused: { sender.setPaused($0) },
            uptime: { sender.uptime }
        )
    }
}

extension Scope {
    /// Connects the scope to a session. Sets that are already pending are submitted after the first state was applied.
    ///
    /// - Returns: The number of the connection, which distinguishes it from earlier and later ones.
    @discardableResult
    package func attach(_ hooks: ScopeHooks) -> Int {
        self.hooks = hooks
        attachments += 1
        if isBatchOpen { hooks.batchBegan() }
        if isPaused { hooks.paused(true) }
        return attachments
    }

    /// Disconnects the scope from its session. Sets that were sent end as possibly applied, because their replies will
    /// not arrive. The other sets wait for another session.
    ///
    /// - Parameter attachment: The number of the connection to end. Default: `nil`, the current one.
    package func detachSession(_ attachment: Int? = nil) {
        guard let hooks, attachment ?? attachments == attachments else { return }
        self.hooks = nil
        let lastSent = hooks.detached()
        holdingEvents {
            for set in changeSets.all {
                if set.isSent(through: lastSent) {
                    settle(set, .unknown(Self.abandonedError(.maybeSent)))
                } else {
                    // Another client numbers its sets differently.
                    set.changesID = nil
                }
            }
        }
        reviewRetained()
    }

    /// Settles all pending sets when the scope is freed.
    func settleAll(sentThrough lastSent: ChangesID?) {
        for set in changeSets.all {
            let isSent = set.isSent(through: lastSent)
            changeSets.withdraw(set)
            set.finish(isSent ? .maybeSent : .reverted, Self.abandonedError(isSent ? .maybeSent : .notSent))
        }
    }

    private static func abandonedError(_ delivery: DeliveryState) -> JetstreamError {
        JetstreamError(.invalidScope, "the scope was released before the server's reply", delivery: delivery)
    }

    /// Whether a session fetches the scope.
    package var isAttached: Bool { hooks != nil }

    /// Returns whether the connection with a number fetches the scope.
    package func isAttached(by attachment: Int) -> Bool { hooks != nil && attachments == attachment }

    /// Makes a change set of the recorded changes, if there are any, and submits it.
    ///
    /// - Parameter now: The time of any monotonic clock. Throttled values that are not due stay recorded until
    ///   ``nextDeadline``. `nil` submits them too.
    @discardableResult
    package func flush(at now: Duration? = nil) -> ChangeSet? {
        // The changes belong to the set that is being made.
        if openChanges != nil { return nil }
        let recorded = takeRecorded(at: now)
        if recorded.isEmpty {
            reviewRetained()
            return nil
        }
        return announce(recorded)
    }

    /// Applies a delivery from the server, or keeps it until the pause ends.
    package func receive(_ delivery: ScopeDelivery) {
        whenResumed(isDelivery: true) { scope in
            switch delivery {
            case .state(let state, let sent): scope.applyState(state, sent: sent)
            case .sync(let fragments): scope.applyAtOnce(fragments)
            case .settled(let id, let outcome):
                scope.settle(id, outcome)
                scope.freeCircles()
            case .ended(let error): scope.end(error)
            }
        }
    }

    /// Handles the end of the session. All pending sets were never sent.
    private func end(_ error: JetstreamError) {
        hooks = nil
        var notSent = error
        notSent.delivery = .notSent
        holdingEvents {
            for set in changeSets.reversed() { settle(set, .reverted(notSent)) }
        }
        reviewRetained()
    }

    private func applyState(_ state: JetstreamMessage.ScopeState, sent: [ChangesID]) {
        guard let rootNode else { return endUnsent(sent) }
        // A set that an observer makes is for the session with the new state, behind the older unsent sets. It must be
        // submitted after the session has received these.
        holdingEvents { rebase(on: state, rootNode, sent: sent) }
        reviewRetained()
        syncObservers.fire([()])
    }

    /// Handles a state of a scope whose root was removed: the sets that were never sent cannot be reapplied. The session must
    /// learn of it, because it sends nothing until a state was applied.
    private func endUnsent(_ sent: [ChangesID]) {
        let sent = Set(sent)
        let error = JetstreamError(.invalidScope, "the scope has no root", delivery: .notSent)
        holdingEvents {
            for set in changeSets.reversed() where set.changesID.map({ !sent.contains($0) }) ?? true {
                settle(set, .reverted(error))
            }
            hooks?.stateApplied([])
        }
        reviewRetained()
    }

    /// Applies a state, reapplies the sets that were never sent, and passes them to the session.
    private func rebase(on state: JetstreamMessage.ScopeState, _ rootNode: ModelNode, sent: [ChangesID]) {
        flush()
        // Sets that were sent in this session are unchanged, because the server made the state before it receives them.
        let sent = Set(sent)
        let isUnsent = { (set: ChangeSet) in set.changesID.map { !sent.contains($0) } ?? true }
        let unsent = changeSets.filter(isUnsent)
        let referred = objects(referredToBy: unsent)
        for set in unsent { changeSets.withdraw(set) }
        applyRemotely {
            if let other = node(state.rootUUID), !isRoot(other) {
                // The identifier is the root's from now on. The object stays in the tree until the state removes it.
                forget(other)
                objects.remove(other)
                other.setIdentifier(randomIDs.next())
                objects.append(other)
            }
            rootNode.setIdentifier(state.rootUUID)
            apply(state.fragments, resetsOthers: true)
            guard hasOneSidedLinks else { return }
            // Links that were there before are not reported as gained.
            for fragment in state.fragments {
                if let node = node(fragment.uuid) ?? retained[fragment.uuid]?.modelNode { gainedLink(node) }
            }
        }
        let stated = Set(state.fragments.map(\.uuid)).union([state.rootUUID])
        for node in objects.nodes where !stated.contains(node.uuid) && !changeSets.isAdding(node) { noteFormer(node) }
        for object in retained.values where !stated.contains(object.uuid) {
            let node = object.modelNode
            guard node.flags.contains(.isLinkedWeakly), !changeSets.isAdding(node) else { continue }
            noteNotLinkedWeakly(node)
            noteFormer(node)
        }
        // Changes of objects that the state has brought back are not part of the unsent sets.
        if !unsent.isEmpty, !changed.isEmpty { flush() }
        let missing = unsent.map { resubmit($0, referred) }
        let adders = missing.allSatisfy(\.isEmpty) ? [:] : setsByAddedObject()
        for (set, missing) in zip(unsent, missing) { settle(set, missing: missing, adders) }
        reviewRetained()
        hooks?.stateApplied(changeSets.filter(isUnsent))
    }

    /// Returns the objects of change sets and the objects that their values refer to. The state may not contain them.
    private func objects(referredToBy sets: [ChangeSet]) -> ModelTable<any ModelObject> {
        let source = source()
        var found = ModelTable<any ModelObject>()
        for set in sets {
            for object in set.objects.values { _ = found.insert(object, for: object.uuid) }
            for change in set.changes {
                found[change.object.uuid] = change.object
                for (_, value) in change.fragment.properties {
                    value.forEachText { id in
                        if let object = source.object(id) { found[object.uuid] = object }
                    }
                }
            }
        }
        return found
    }

    /// Reapplies the changes of a set on top of a state.
    ///
    /// - Returns: The objects of the set that the server does not have.
    private func resubmit(_ set: ChangeSet, _ referred: ModelTable<any ModelObject>) -> [any ModelObject] {
        holdEvents(of: set)
        // A set that a setter of the app makes joins this one.
        openChanges = OpenChanges(set)
        defer { openChanges = nil }
        let source = source(referred)
        for change in set.changes {
            let node = change.object.modelNode
            guard let schema = node.model.map({ node.schema(of: $0) }) else { continue }
            for (name, value) in change.fragment.properties {
                guard let property = schema.property(named: name), property.isSynced else { continue }
                _ = property.access?.read(change.object, value, source)
            }
        }
        let objects = set.changes.map(\.object)
        let recorded = takeRecorded(at: nil)
        let collected = Set(recorded.map { ObjectIdentifier($0.object.modelNode) })
        // The tree may have such objects because of local properties.
        let missing = objects.filter { object in
            !isKnown(object.modelNode) && !collected.contains(ObjectIdentifier(object.modelNode))
        }
        if recorded.isEmpty, missing.isEmpty {
            // The state already contains all changes.
            set.finish(.completed, nil)
        } else if !recorded.isEmpty {
            set.replace(recorded, kept: retained)
            changeSets.add(set)
        }
        return missing
    }

    /// Returns the first pending set that adds each object.
    private func setsByAddedObject() -> [ObjectIdentifier: ChangeSet] {
        var found: [ObjectIdentifier: ChangeSet] = [:]
        for set in changeSets.all {
            for change in set.changes where change.fragment.kind == .add {
                let node = ObjectIdentifier(change.object.modelNode)
                if found[node] == nil { found[node] = set }
            }
        }
        return found
    }

    /// Settles the changes of a set for objects that did not come back. If nothing else is left or the set is atomic,
    /// the whole set ends. Changes of an object that a later set restored are sent with its add: if nothing else is
    /// left, the set ends like that add.
    ///
    /// - Parameter adders: The set that adds each object.
    private func settle(_ set: ChangeSet, missing: [any ModelObject], _ adders: [ObjectIdentifier: ChangeSet]) {
        guard set.state == .syncing, !missing.isEmpty else { return }
        let nodes = Set(missing.map { ObjectIdentifier($0.modelNode) })
        let isPending = !set.changes.contains { nodes.contains(ObjectIdentifier($0.object.modelNode)) }
        let goneCount = missing.count { !isKnown($0.modelNode) }
        if goneCount > 0 {
            set.loss = JetstreamError(
                .objectRemoved,
                "\(goneCount) objects of the change set no longer exist",
                delivery: .notSent
            )
        }
        if !isPending {
            if let loss = set.loss { return set.finish(.reverted, loss) }
            var adds: [(ChangeSet, any ModelObject)] = []
            for object in missing {
                if let adder = adders[ObjectIdentifier(object.modelNode)] { adds.append((adder, object)) }
            }
            set.finish(with: adds)
        } else if set.isAtomic, let loss = set.loss {
            settle(set, .reverted(loss))
        }
    }

    // MARK: Outcomes

    /// Settles a change set. The caller searches cycles, which the set may hold until this call returns.
    private func settle(_ id: ChangesID, _ outcome: ChangesOutcome) {
        guard let set = changeSets.first(where: { $0.changesID == id }), set.state == .syncing else { return }
        holdingEvents { finish(set, outcome) }
        forgetUnreferred()
    }

    /// Settles a change set.
    package func settle(_ set: ChangeSet, _ outcome: ChangesOutcome) {
        guard set.state == .syncing else { return }
        holdingEvents { finish(set, outcome) }
        reviewRetained()
    }

    private func finish(_ set: ChangeSet, _ outcome: ChangesOutcome) {
        switch outcome {
        case .replied(let replies):
            guard replies.count == set.fragments.count else {
                let error = JetstreamError(
                    .replyMismatch,
                    "the reply has \(replies.count) parts for \(set.fragments.count) fragments",
                    delivery: .answered
                )
                return finish(set, .reverted(error))
            }
            settle(set, replies)
        case .reverted(let error):
            applyRemotely { takeBack(set, set.changes.indices.map { $0 }) }
            set.finish(.reverted, error)
        case .unknown(let error):
            changeSets.withdraw(set)
            set.finish(.maybeSent, error)
        }
    }

    private func settle(_ set: ChangeSet, _ replies: [FragmentReply]) {
        let refused = replies.indices.filter { !replies[$0].isAccepted }
        applyRemotely {
            takeBack(set, refused)
            let source = source(set.objects)
            for (change, reply) in zip(set.changes, replies) where !reply.modifications.isEmpty {
                apply(reply.modifications, to: change.object, source, isNew: false, resetsOthers: false)
            }
        }
        if refused.isEmpty {
            // The rest of the set was sent.
            set.loss?.delivery = .answered
            return set.finish(set.loss == nil ? .completed : .partiallyReverted, set.loss)
        }
        let error = JetstreamError(
            .changesRefused,
            "the server refused \(refused.count) of \(replies.count) fragments",
            server: replies[refused[0]].error,
            delivery: .answered,
            fragmentErrors: replies.map(\.error)
        )
        set.finish(refused.count == replies.count ? .reverted : .partiallyReverted, error)
    }

    /// Removes a set from the pending ones and restores the former values of some of its fragments. If a later change
    /// of the same property is pending, that change receives them as its former values instead
    /// (Docs/Protocols/Jetstream.md §4.3).
    private func takeBack(_ set: ChangeSet, _ refused: [Int]) {
        holdEvents(of: set)
        let isRefused = Set(refused)
        var restored: [(object: any ModelObject, property: ModelProperty, value: JSONValue)] = []
        for (index, change) in set.changes.enumerated() {
            for (property, original) in change.originals {
                let later = changeSets.successor(of: set, change.object.modelNode, property)
                guard isRefused.contains(index) else { continue }
                if let later {
                    later.setOriginal(original, of: change.object, property)
                } else if let pending = change.object.modelNode.pending, pending.contains(property) {
                    replaceOriginal(of: property, in: pending, of: change.object.modelNode, by: original)
                } else {
                    restored.append((change.object, property, original))
                }
            }
        }
        changeSets.withdraw(set)
        let refusedAdds = refused.filter { set.changes[$0].isNew }
        let referred = refusedAdds.isEmpty ? [] : references(of: set, except: isRefused)
        for index in refusedAdds {
            let node = set.changes[index].object.modelNode
            guard node.home === self, !changeSets.isAdding(node), !node.flags.contains(.isConfirmed) else { continue }
            // A server that accepts a reference to the object has it.
            if !referred.contains(node.uuid) { refusedAdd(node) }
        }
        let source = source(set.objects)
        for (object, property, value) in restored { restore(value, of: property, of: object, source) }
    }

    /// Returns the identifiers of the objects that a change set refers to, except in some of its fragments.
    private func references(of set: ChangeSet, except omitted: Set<Int>) -> Set<ModelID> {
        var found: Set<ModelID> = []
        for (index, change) in set.changes.enumerated() where !omitted.contains(index) {
            let schema = change.object.modelNode.schema(of: change.object)
            for (name, value) in change.fragment.properties where schema.property(named: name)?.isLink == true {
                value.forEachText { id in
                    if let id = ModelID(wireText: id) { found.insert(id) }
                }
            }
        }
        return found
    }
}
