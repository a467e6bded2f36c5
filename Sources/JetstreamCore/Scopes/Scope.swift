public import Foundation
internal import HeliumConcurrency
internal import HeliumJSON

/// A named tree of model objects with one root, which records its changes and applies those of a peer
/// (Docs/Protocols/Jetstream.md §3.3, §4.1).
///
/// An object belongs to the scope while it can be reached from the root. It can belong to one scope only.
///
/// ```swift
/// let canvas = Canvas()
/// let scope = Scope(name: "Canvas", root: canvas)
/// let set = scope.modify { canvas.name = "Demo" }
/// ```
///
/// A scope is used in the isolation of its models. It owns its root, unless `isScopeRoot` created the scope. Such a scope is
/// empty after its root was freed.
///
/// ## Interface for sessions
///
/// A session passes its `ScopeHooks` to `attach(_:)`, calls `flush(at:)` at the end of a batch, and passes
/// deliveries to `receive(_:)`, which waits while the scope is paused. `nextDeadline` is the time at which
/// throttled values are due. `changeSets` contains the unsettled sets that were passed to the hooks.
public final class Scope {
    /// The name of the scope on the server.
    public let name: String

    /// The time from the first change of a batch until it becomes a change set. Default: 10 ms.
    public let changeInterval: Duration

    /// The format of values. Default: dates in seconds.
    public var format = ModelFormat()

    /// The unsettled change sets.
    public let changeSets = ChangeSetQueue()

    /// The maximum number of pending change sets. Further ones are reverted at once with the error `ceilingExceeded`.
    /// Default: the client's ``JetstreamClientOptions/maximumPendingChanges`` once it fetches the scope, and 10,000
    /// before.
    public var maximumPendingChangeSets: Int {
        get { chosenMaximum ?? clientMaximum }
        set { chosenMaximum = newValue }
    }

    /// The maximum that the app has chosen for this scope.
    private var chosenMaximum: Int?

    /// The maximum of the client that fetches the scope.
    var clientMaximum = 10_000

    /// Whether changes are recorded for a session. Default: `true`. A scope created by `isScopeRoot` records nothing: the
    /// value is `false` as long as it has that root.
    ///
    /// Objects that were removed from the tree are retained until the recorded changes are collected.
    public var isRecording: Bool {
        get { records && !hasBorrowedRoot }
        set { records = newValue }
    }
    @exclusivity(unchecked) private var records = true

    // Swift need not check exclusivity for variables that are accessed for each object: they are accessed in the
    // isolation of the scope while no foreign code runs. ``NodeTable`` does not free a node when it removes one.

    /// All objects except the root, by identifier. The root is not included, because its own scope would retain its
    /// node.
    @exclusivity(unchecked) var objects = NodeTable()

    /// Objects that the tree or the server does not have, retained because original values of pending sets refer to them
    /// (Docs/Protocols/Jetstream.md §4.3). Also those that the server has because weak properties refer to them.
    var retained = ModelTable<any ModelObject>()

    /// The identifiers of those of ``retained`` that the next review may release: all but the weakly linked ones. An object
    /// that a review need not look at any more may also be in it. The list must not keep nodes: the link of a parent
    /// counts as long as the parent's node exists.
    var releasable: [ModelID] = []

    /// The objects that left.
    var formers = FormerObjects() {
        didSet { hasFormers = !formers.isEmpty }
    }

    /// Whether ``formers`` has objects. It is read for each object that enters, which is faster than reading the table.
    @exclusivity(unchecked) private(set) var hasFormers = false

    /// The reference that nodes have to the scope.
    let reference = ScopeReference()

    /// The reference that nodes have to the scope after they have left.
    let formerReference = ScopeReference()

    /// The root, if the scope owns it.
    private var ownedRoot: (any ModelObject)? {
        didSet { ownedRootNode = ownedRoot?.modelNode }
    }

    /// The node of ``ownedRoot``, which is faster to access than a weak reference.
    @exclusivity(unchecked) private var ownedRootNode: ModelNode?

    /// The root, if the scope does not own it.
    private weak var borrowedRoot: (any ModelObject)?
    @exclusivity(unchecked) private var hasBorrowedRoot = false

    /// Whether the root, which the scope did not own, is being freed or was freed. Its node may exist longer.
    var isRootFreed: Bool { hasBorrowedRoot && borrowedRoot == nil }

    /// The node of the root. Without it, the objects may have been released.
    var rootNode: ModelNode? {
        get { isRootFreed ? nil : storedRootNode }
        set {
            storedRootNode = newValue
            rootIdentity = newValue.map(ObjectIdentifier.init)
        }
    }
    private weak var storedRootNode: ModelNode?

    /// The address of the root's node, which may be reused after the node is freed. Comparing it is much faster than
    /// reading the node.
    @exclusivity(unchecked) private var rootIdentity: ObjectIdentifier?

    /// Identifiers for objects that enter without one.
    var randomIDs = RandomIDs()

    /// Classes that no property's type names, given by the caller.
    private let subclasses: [any ModelObject.Type]

    /// The classes, by name.
    private var classes: [ByteText: ModelSchema] = [:]

    /// The class that was looked up last.
    private var lastSchema: ModelSchema?

    /// An object of each class with default values.
    private var prototypes: [ObjectIdentifier: any ModelObject] = [:]

    // MARK: Membership

    /// The number of the last search.
    @exclusivity(unchecked) var searches: UInt32 = 0

    /// Incremented whenever observers of trees must be notified again: see ``ModelNode/treeMark``.
    var treeEpoch: UInt32 = 1

    /// Whether an object outside the scope refers to one inside, so that the epoch cannot be relied on.
    @exclusivity(unchecked) var hasForeignParents = false

    /// Whether an object was ever reached by more than one link. If not, the objects form a tree without cycles.
    @exclusivity(unchecked) var hasSharedObjects = false

    /// Objects whose last known path from the root was cut while remote changes are applied. Nothing else may hold
    /// them.
    var suspects: [any ModelObject] = []

    /// Whether the links that make an object a part of the tree ever differed from those that make the server keep it.
    @exclusivity(unchecked) var hasOneSidedLinks = false

    /// Whether there may be unsent changes of properties that refer to objects.
    @exclusivity(unchecked) var hasUnsentLinks = false

    /// The objects whose unsent changes have original values that refer to an object, by its identifier; `nil` until
    /// they are first needed. Some may not have such a change any more.
    var unsentParents: ModelTable<OtherParents>?

    /// The objects that lost or gained a link while remote changes are applied, and which the server therefore may not
    /// have any more, or may have again.
    var lost: [ModelNode] = []
    var gained: [ModelNode] = []

    /// The objects whose adds were rejected while remote changes are applied.
    var refused: [ModelNode] = []

    /// The number of placeholders that were ever created.
    @exclusivity(unchecked) var placeholderCount = 0

    // MARK: Recording

    /// The objects that changed in this batch, in the order of their first change.
    /// `nil` is an object that has left.
    var changed: [ModelNode?] = []

    /// The objects that left in this batch and that the server has.
    var departed: [any ModelObject] = []

    /// The objects that lost a link in this batch, and which the server therefore may not have afterwards. A peer may
    /// remove them before the batch is collected, so they are kept until then.
    var doubtful: [any ModelObject] = []

    /// Whether a batch is open.
    var isBatchOpen = false

    /// Whether remote changes, which are not recorded, are being applied.
    var isApplying: Bool {
        get { reference.isApplying }
        set { reference.isApplying = newValue }
    }

    /// The number of nested calls of ``holdingEvents(_:)``.
    var eventHolds = 0 {
        didSet { reference.holdsEvents = eventHolds > 0 }
    }

    /// Whether observers are called later.
    var holdsEvents: Bool { reference.holdsEvents }

    /// The calls of observers that wait for the end of ``holdingEvents(_:)``.
    var heldEvents: [() -> Void] = []

    /// The objects outside the scope whose observers wait too.
    var guests: [ModelNode] = []

    /// The time at which throttled changes are due: see `nextDeadline`.
    var throttledUntil: Duration?

    /// The change set whose changes are being made. Sets that are made meanwhile join it.
    var openChanges: OpenChanges?

    var hooks: ScopeHooks?
    /// The number of sessions to which the scope was connected.
    var attachments = 0
    let changeObservers = ScopeObservers<ChangeSet>()
    let syncObservers = ScopeObservers<Void>()

    // MARK: Pausing

    private var pauses = 0
    /// The jobs that wait for the end of the pause. They do not retain the scope, which may be released before.
    private(set) var waiting: [(Scope) -> Void] = []
    /// The index of the first waiting job that has not started.
    private var nextWaiting = 0
    private var isRunningWaiting = false

    /// Creates a scope.
    ///
    /// - Parameters:
    ///   - name: The name on the server.
    ///   - root: The root. The objects that it refers to are added too.
    ///   - subclasses: Model classes that no property of the root's class or of the classes below names: subclasses
    ///     that peers may instantiate.
    ///   - changeInterval: The time from the first change of a batch until it is sent. Default: 10 ms. More than a
    ///     century counts as a century.
    public init(
        name: String,
        root: (any ModelObject)? = nil,
        subclasses: [any ModelObject.Type] = [],
        changeInterval: Duration = .milliseconds(10)
    ) {
        self.name = name
        self.subclasses = subclasses
        self.changeInterval = changeInterval.withinCentury
        reference.scopeWasMade(self)
        formerReference.scopeWasMade(self, isFormer: true)
        if let root { setRoot(root) }
    }

    deinit {
        // No node leads to the scope from here on.
        reference.scopeIsFreed()
        formerReference.scopeIsFreed()
        let lastSent = hooks?.detached()
        // Without a root, the objects may already have been released.
        var members: [AnyObject?] = []
        if hasSharedObjects, let rootNode { members = collectSubtrees([rootNode]).map { $0.model as AnyObject? } }
        if let rootNode { release(rootNode) }
        // All nodes are released before the first object is freed, so that code that runs then cannot find this scope.
        for node in objects.nodes { release(node) }
        for object in retained.values { release(object.modelNode) }
        for object in departed { release(object.modelNode) }
        var living = Array(retained.values) + formers.living
        // Nothing of the scope may hold an object when cycles are searched.
        retained = ModelTable()
        objects = NodeTable()
        (departed, doubtful, suspects) = ([], [], [])
        (ownedRoot, ownedRootNode) = (nil, nil)
        settleAll(sentThrough: lastSent)
        // Parents come first, so that an object which only they hold has no owner left when its turn comes. The
        // remaining objects are held by the app or by each other.
        for index in members.indices {
            if isKnownUniquelyReferenced(&members[index]) {
                members[index] = nil
            } else if let object = members[index] as? any ModelObject {
                living.append(object)
            }
        }
        members = []
        ModelCircles.free(&living)
    }

    /// Releases all objects after the root, which the scope does not own, was freed. The app may still hold the scope.
    func rootWasFreed() {
        guard rootNode == nil else { return }
        rootNode = nil
        hasBorrowedRoot = false
        var living = Array(retained.values) + formers.living
        // The objects that the root did not take with it are held by the app or by each other.
        if hasSharedObjects { living += objects.nodes.compactMap(\.livingModel) }
        for node in objects.nodes { release(node) }
        for object in living + departed + doubtful { release(object.modelNode) }
        objects = NodeTable()
        retained = ModelTable()
        formers.removeAll()
        (releasable, departed, doubtful, changed, suspects) = ([], [], [], [], [])
        ModelCircles.free(&living)
    }

    private func release(_ node: ModelNode) {
        guard node.isAt(self) else { return }
        node.home = nil
        node.anchor = nil
        node.pending = nil
        node.flags.subtract([.isInScope, .isKnown, .wasKnown, .isRetained, .isLinkedWeakly, .isDoubtful])
    }

    // MARK: The root

    /// The root; `nil` if there is none.
    public var root: (any ModelObject)? {
        if let ownedRoot { return ownedRoot }
        guard let rootNode else { return nil }
        return rootNode.model
    }

    /// Sets the root of an empty scope. Does nothing if there is already a root.
    ///
    /// The object is first removed from the properties of its parents. The objects that it refers to are added too.
    public func setRoot(_ object: any ModelObject) { setRoot(object, isOwned: true) }

    func setRoot(_ object: any ModelObject, isOwned: Bool) {
        guard rootNode == nil else { return }
        if isRootFreed { rootWasFreed() }
        let node = object.modelNode
        node.bind(object)
        object.detach()
        if let scope = node.scope { scope.removeRoot() }
        (ownedRoot, borrowedRoot) = isOwned ? (object, nil) : (nil, object)
        hasBorrowedRoot = !isOwned
        rootNode = node
        classes = [:]
        lastSchema = nil
        var events: [() -> Void] = []
        enter(node, anchor: nil, isKnown: true, &events)
        node.deliver(events)
    }

    /// Removes all objects.
    public func removeRoot() {
        leaveAll()
        if rootNode == nil { formers.abandonAll() }
        freeCircles()
    }

    /// Removes all objects, and retains none when it returns, so that their cycles can be freed.
    private func leaveAll() {
        guard let rootNode, let root else { return }
        var events: [() -> Void] = []
        leave(collectSubtrees([rootNode]), &events)
        forgetAll()
        self.rootNode = nil
        ownedRoot = nil
        hasBorrowedRoot = false
        root.modelNode.deliver(events)
    }

    /// The number of objects, including the root.
    public var count: Int { rootNode == nil ? 0 : objects.nodes.count + 1 - placeholdersInScope }

    private var placeholdersInScope: Int {
        placeholderCount == 0 ? 0 : objects.nodes.count { $0.flags.contains(.isPlaceholder) }
    }

    /// Returns the object with an identifier; `nil` if the scope has no such object of a known class.
    public func object(id: ModelID) -> (any ModelObject)? {
        guard let node = node(id), !node.flags.contains(.isPlaceholder) else { return nil }
        return node.model
    }

    /// Returns the object with an identifier given as text in either case; `nil` if the scope has no such object of a
    /// known class.
    public func object(id: String) -> (any ModelObject)? { ModelID(wireText: id).flatMap { object(id: $0) } }

    /// Returns whether a node is the root's.
    func isRoot(_ node: ModelNode) -> Bool { rootIdentity == ObjectIdentifier(node) && rootNode === node }

    /// Returns the node of the object with an identifier.
    func node(_ id: ModelID) -> ModelNode? {
        guard let rootNode = ownedRootNode ?? rootNode else { return nil }
        return rootNode.uuid == id ? rootNode : objects.node(id) { $0.identify() }
    }

    /// The objects in the order in which they are reached from the root: depth-first, in the order of the properties.
    public var allObjects: [any ModelObject] {
        guard let rootNode else { return [] }
        searches &+= 1
        var found: [any ModelObject] = []
        var waiting = [rootNode]
        while let node = waiting.popLast() {
            guard node.mark != searches else { continue }
            node.mark = searches
            if let model = node.model, !node.flags.contains(.isPlaceholder) { found.append(model) }
            var children: [ModelNode] = []
            node.forEachChild { child in
                if child.modelNode.scope === self { children.append(child.modelNode) }
            }
            waiting.append(contentsOf: children.reversed())
        }
        return found
    }

    // MARK: Classes

    /// Returns the schema of a class by its name on the wire, if the root's class leads to it or the caller gave it.
    func schema(named name: String) -> ModelSchema? {
        // Objects of the same class mostly follow each other.
        if let lastSchema, lastSchema.className.hasSameBytes(as: name) { return lastSchema }
        lastSchema = findSchema(named: name)
        return lastSchema
    }

    private func findSchema(named name: String) -> ModelSchema? {
        if classes.isEmpty, let root {
            var waiting: [any ModelObject.Type] = [type(of: root)] + subclasses
            var next = 0
            while next < waiting.count {
                let schema = waiting[next].modelSchema
                next += 1
                guard classes[schema.className] == nil else { continue }
                classes[schema.className] = schema
                waiting.append(contentsOf: schema.properties.compactMap(\.objectType))
            }
        }
        return classes[name]
    }

    /// Returns an object of a class with default values.
    func prototype(of schema: ModelSchema) -> any ModelObject {
        let id = ObjectIdentifier(schema.objectType)
        if let made = prototypes[id] { return made }
        let made = schema.objectType.init(uuid: ModelID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
        prototypes[id] = made
        return made
    }

    // MARK: Pausing

    /// Holds back all deliveries of the server until ``resumeIncomingMessages()``. Pauses nest.
    ///
    /// Deliveries for other scopes of the client continue. When those for a paused scope exceed 16 MiB, the client stops
    /// reading from the server until the pause ends. The server then retains what it sends, up to its own limit, after
    /// which the session ends and all scopes start again from a fresh state.
    public func pauseIncomingMessages() {
        pauses += 1
        if pauses == 1 { hooks?.paused(true) }
    }

    /// Ends a pause. Ending the last one applies the held-back deliveries in order.
    public func resumeIncomingMessages() {
        guard pauses > 0 else { return assertionFailure("the scope is not paused") }
        pauses -= 1
        if pauses == 0 { hooks?.paused(false) }
        runWaiting()
    }

    /// Runs the waiting jobs until there is a reason to wait.
    func runWaiting() {
        if isRunningWaiting || nextWaiting == waiting.count { return }
        isRunningWaiting = true
        // Observers called by a job may pause and resume. The remaining jobs continue after the job.
        while !isPaused, !isBusy, nextWaiting < waiting.count {
            let job = waiting[nextWaiting]
            nextWaiting += 1
            job(self)
        }
        waiting.removeFirst(nextWaiting)
        nextWaiting = 0
        isRunningWaiting = false
    }

    /// Whether the changes of a closure or of a delivery are incomplete, so that another delivery must wait.
    private var isBusy: Bool { openChanges != nil || holdsEvents }

    /// Whether deliveries of the server are held back.
    public var isPaused: Bool { pauses > 0 }

    /// Runs `job` now, or when the pause ends. It is not run if the scope is released before.
    ///
    /// - Parameter isDelivery: Whether the job also waits for the end of changes that are being made.
    func whenResumed(isDelivery: Bool = false, _ job: @escaping (Scope) -> Void) {
        if isPaused || nextWaiting < waiting.count || (isDelivery && isBusy) { waiting.append(job) } else { job(self) }
    }
}
