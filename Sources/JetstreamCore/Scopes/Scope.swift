public import Foundation
internal import HeliumJSON

/// A named tree of model objects with one root, which records its changes and applies a peer's
/// (Docs/Protocols/Jetstream.md §3.3, §3.6).
///
/// An object is a part of the scope while it can be reached from the root. It can be a part of one scope only.
///
/// ```swift
/// let canvas = Canvas()
/// let scope = Scope(name: "Canvas", root: canvas)
/// let set = scope.modify { canvas.name = "Demo" }
/// ```
///
/// A scope lives in the isolation of its models. It owns its root, unless that was made one by `isScopeRoot`.
///
/// ## Entrances for a session
///
/// A session gives its ``ScopeHooks`` to ``attach(_:)``, calls ``flush(at:)`` when a batch is over, and passes what arrives to
/// ``receive(_:)``, which waits while the scope is paused. ``nextDeadline`` says when throttled values are due.
/// ``changeSets`` are the sets that were handed to the hooks and not settled.
public final class Scope {
    /// The scope's name on the server.
    public let name: String

    /// The time from the first change of a batch until it becomes a change set. Default: 10 ms.
    public let changeInterval: Duration

    /// The form of values. Default: dates in seconds.
    public var format = ModelFormat()

    /// The change sets that are not settled yet.
    public let changeSets = ChangeSetQueue()

    /// The largest number of pending change sets. Others are reverted at once with the error `ceilingExceeded`.
    public var maximumPendingChangeSets = 10_000

    /// Whether changes are recorded for a session. Default: `true`. A scope made by `isScopeRoot` records nothing.
    ///
    /// While nothing collects what is recorded, objects that were taken out of the tree are kept.
    @exclusivity(unchecked) public var isRecording = true

    // Of the variables that are looked at for each object, Swift need not check whether accesses overlap: they are read and
    // written in the isolation of the scope, and no foreign code runs meanwhile. ``NodeTable`` frees no node when it removes one.

    /// All objects but the root by their identifiers. The root is not among them, or its own scope would keep its node.
    @exclusivity(unchecked) var objects = NodeTable()

    /// Objects that nothing refers to, kept because originals of pending sets do (Docs/Protocols/Jetstream.md §4.3).
    var retained = ModelTable<any ModelObject>()

    /// Objects that have left.
    var formers = FormerObjects()

    /// The root of a scope that owns it.
    private var ownedRoot: (any ModelObject)? {
        didSet { ownedRootNode = ownedRoot?.modelNode }
    }

    /// The node of ``ownedRoot``: faster to look at than what is held weakly.
    @exclusivity(unchecked) private var ownedRootNode: ModelNode?

    /// The root's node. Without one, the objects may be gone.
    weak var rootNode: ModelNode? {
        didSet { rootIdentity = rootNode.map(ObjectIdentifier.init) }
    }

    /// The root's node or, once that is gone, whatever has its address: looking at it is much faster than at the node.
    @exclusivity(unchecked) private var rootIdentity: ObjectIdentifier?

    /// Identifiers for objects that have none when they come in.
    var randomIDs = RandomIDs()

    /// Classes that no property's type names, given by the caller.
    private let subclasses: [any ModelObject.Type]

    /// The classes by their names.
    private var classes: [ByteText: ModelSchema] = [:]

    /// The class that was asked for last.
    private var lastSchema: ModelSchema?

    /// An object of each class with the default values.
    private var prototypes: [ObjectIdentifier: any ModelObject] = [:]

    // MARK: Membership

    /// The last search's number.
    @exclusivity(unchecked) var searches: UInt32 = 0

    /// Counted on whenever observers of trees have to be told again: ``ModelNode/treeMark``.
    var treeEpoch: UInt32 = 1

    /// Whether an object outside of the scope refers to one inside, so that the epoch says nothing about it.
    @exclusivity(unchecked) var hasForeignParents = false

    /// Whether an object was ever reached by more than one link. Without, the objects are a tree, which has no circles.
    @exclusivity(unchecked) var hasSharedObjects = false

    /// Objects whose last known way from the root was cut while remote changes are applied. Nothing else may hold them.
    var suspects: [any ModelObject] = []

    /// The number of placeholders that were ever made.
    @exclusivity(unchecked) var placeholderCount = 0

    // MARK: Recording

    /// The objects that changed in this batch, in the order of their first change.
    var changed: [ModelNode] = []

    /// The objects that left in this batch and that the server has.
    var departed: [ModelNode] = []

    /// Whether a batch has begun.
    var isBatchOpen = false

    /// Whether remote changes are being applied, which are not recorded.
    @exclusivity(unchecked) var isApplying = false

    /// Events of the remote changes that are being applied.
    var deferred: [() -> Void] = []

    /// The throttled changes' time: see ``nextDeadline``.
    var throttledUntil: Duration?

    var hooks: ScopeHooks?
    /// The number of sessions that the scope was connected with.
    var attachments = 0
    let changeObservers = ScopeObservers<ChangeSet>()
    let syncObservers = ScopeObservers<Void>()

    // MARK: Pausing

    private var pauses = 0
    private var waiting: [() -> Void] = []
    /// The first of the waiting jobs that has not begun.
    private var nextWaiting = 0

    /// A scope.
    ///
    /// - Parameters:
    ///   - name: The name on the server.
    ///   - root: The root. Objects that it refers to come with it.
    ///   - subclasses: Model classes that no property of the root's class or of those below names: subclasses that peers may
    ///     make objects of.
    ///   - changeInterval: The time from the first change of a batch until it is sent. Default: 10 ms.
    public init(
        name: String,
        root: (any ModelObject)? = nil,
        subclasses: [any ModelObject.Type] = [],
        changeInterval: Duration = .milliseconds(10)
    ) {
        self.name = name
        self.subclasses = subclasses
        self.changeInterval = changeInterval
        if let root { setRoot(root) }
    }

    deinit {
        let lastSent = hooks?.detached()
        defer { settleAll(sentThrough: lastSent) }
        // Without a root, the objects may be gone already.
        var members: [AnyObject?] = []
        if hasSharedObjects, let rootNode { members = collectSubtrees([rootNode]).map { $0.model as AnyObject? } }
        if let rootNode { release(rootNode) }
        // All, before the first is freed: what runs then must not find this scope any more.
        for node in objects.nodes { release(node) }
        for object in retained.values { release(object.modelNode) }
        for node in departed { release(node) }
        var living = Array(retained.values) + formers.living
        retained = ModelTable()
        objects = NodeTable()
        (ownedRoot, ownedRootNode) = (nil, nil)
        // Parents come first: what only they hold is held by nobody when its turn comes. The app holds the others, or they hold
        // each other.
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

    private func release(_ node: ModelNode) {
        guard node.isAt(self) else { return }
        node.home = nil
        node.anchor = nil
        node.pending = nil
        node.flags.subtract([.isInScope, .isKnown, .wasKnown, .isRetained])
    }

    // MARK: The root

    /// The root; `nil` for none.
    public var root: (any ModelObject)? {
        if let ownedRoot { return ownedRoot }
        guard let rootNode else { return nil }
        return rootNode.model
    }

    /// Sets the root of an empty scope; does nothing if there is one.
    ///
    /// The object is first taken out of its parents' properties. What it refers to comes with it.
    public func setRoot(_ object: any ModelObject) { setRoot(object, isOwned: true) }

    func setRoot(_ object: any ModelObject, isOwned: Bool) {
        guard rootNode == nil else { return }
        let node = object.modelNode
        node.bind(object)
        object.detach()
        if let scope = node.scope { scope.removeRoot() }
        if !isOwned { isRecording = false }
        if isOwned { ownedRoot = object }
        rootNode = node
        classes = [:]
        lastSchema = nil
        var events: [() -> Void] = []
        enter(node, anchor: nil, isKnown: true, &events)
        node.deliver(events)
    }

    /// Takes all objects out.
    public func removeRoot() {
        guard let rootNode, let root else { return }
        var events: [() -> Void] = []
        leave(collectSubtrees([rootNode]), &events)
        forgetRetained()
        self.rootNode = nil
        ownedRoot = nil
        root.modelNode.deliver(events)
        events = []
        formers.freeCircles()
        if self.rootNode == nil { formers.removeAll() }
    }

    /// The number of objects, the root included.
    public var count: Int { rootNode == nil ? 0 : objects.nodes.count + 1 - placeholdersInScope }

    private var placeholdersInScope: Int {
        placeholderCount == 0 ? 0 : objects.nodes.count { $0.flags.contains(.isPlaceholder) }
    }

    /// The object with that identifier; `nil` if the scope has none of a known class.
    public func object(id: ModelID) -> (any ModelObject)? {
        guard let node = node(id), !node.flags.contains(.isPlaceholder) else { return nil }
        return node.model
    }

    /// The object with that identifier in text of either case; `nil` if the scope has none of a known class.
    public func object(id: String) -> (any ModelObject)? { ModelID(wireText: id).flatMap { object(id: $0) } }

    /// Whether a node is the root's.
    func isRoot(_ node: ModelNode) -> Bool { rootIdentity == ObjectIdentifier(node) && rootNode === node }

    /// The node of the object with that identifier.
    func node(_ id: ModelID) -> ModelNode? {
        guard let rootNode = ownedRootNode ?? rootNode else { return nil }
        return rootNode.uuid == id ? rootNode : objects.node(id) { $0.identify() }
    }

    /// The objects in the order in which they are reached from the root: depth first, by the order of the properties.
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

    /// The schema of a class by its name on the wire, if the root's class leads to it or it was given.
    func schema(named name: String) -> ModelSchema? {
        // Objects of one class mostly come one after the other.
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

    /// An object of a class with the default values.
    func prototype(of schema: ModelSchema) -> any ModelObject {
        let id = ObjectIdentifier(schema.objectType)
        if let made = prototypes[id] { return made }
        let made = schema.objectType.init(uuid: ModelID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
        prototypes[id] = made
        return made
    }

    // MARK: Pausing

    /// Holds back everything that the server sends until ``resumeIncomingMessages()``. Pauses nest.
    public func pauseIncomingMessages() { pauses += 1 }

    /// Ends a pause. The last one applies what was held back, in order.
    public func resumeIncomingMessages() {
        guard pauses > 0 else { return assertionFailure("the scope is not paused") }
        pauses -= 1
        // A job's observers may pause and resume: that goes on behind the job.
        while pauses == 0, nextWaiting < waiting.count {
            let job = waiting[nextWaiting]
            nextWaiting += 1
            job()
        }
        waiting.removeFirst(nextWaiting)
        nextWaiting = 0
    }

    /// Whether what the server sends is held back.
    public var isPaused: Bool { pauses > 0 }

    /// Runs `job` now, or when the pause ends.
    func whenResumed(_ job: @escaping () -> Void) {
        if isPaused || nextWaiting < waiting.count { waiting.append(job) } else { job() }
    }
}
