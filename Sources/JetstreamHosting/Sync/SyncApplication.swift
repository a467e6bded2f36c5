internal import HeliumJSON

/// A change set received from a client.
struct IncomingSync {
    var fragments: [Fragment]
    var isAtomic = false
    var procedure: ProcedureName?
}

/// The result of applying a change set.
struct SyncOutcome {
    /// The rejection of each fragment; `nil` for accepted fragments.
    var refusals: [JetstreamRefusal?]
    /// The accepted fragments, as sent to other clients.
    var accepted: [Fragment] = []
    var effects = HostedScope.Effects()
}

extension HostedScope {
    /// A function that checks one property that a client writes. It throws to reject the fragment.
    typealias WriteCheck = (Fragment, _ property: String, JSONValue) throws -> Void

    /// Applies a change set (Docs/Protocols/Jetstream.md §5.3).
    ///
    /// Objects are added first, then all changes are made in order, and then the objects that the root no longer
    /// reaches are removed.
    ///
    /// - Parameters:
    ///   - hasOriginalRules: Whether `remove` constraints require growth, atomic change sets are not enforced, and a
    ///     change counts for the class that it names.
    ///   - check: Checks each property.
    mutating func apply(_ sync: IncomingSync, hasOriginalRules: Bool = false, check: WriteCheck? = nil) -> SyncOutcome {
        let sync = hasOriginalRules ? sync : withStoredClasses(sync)
        if let procedure = sync.procedure {
            let matcher = ConstraintMatcher(scope: self, hasOriginalRules: hasOriginalRules)
            guard let constraints = schema.constraints(of: procedure), matcher.matches(sync.fragments, constraints)
            else {
                return SyncOutcome(refusals: sync.fragments.map { _ in .procedure })
            }
        }
        var application = SyncApplication(scope: self, fragments: sync.fragments, check: check)
        // The graph has a single owner at a time, so that the objects are changed in place.
        graph = ObjectGraph()
        invalidateDocument()
        application.run()
        var outcome = SyncOutcome(refusals: application.refusals)
        if sync.isAtomic, !hasOriginalRules, outcome.refusals.contains(where: { $0 != nil }) {
            application.scope.graph.rollBack()
            outcome.refusals = outcome.refusals.map { $0 ?? .otherFragment }
        } else {
            outcome.accepted = zip(application.fragments, outcome.refusals).compactMap { $1 == nil ? $0 : nil }
        }
        self = application.scope
        application.scope.graph = ObjectGraph()
        outcome.effects = commit()
        return outcome
    }

    /// Returns the change set with changes that name the actual classes of their objects. Constraints, closures and
    /// other clients rely on these names, but a client may send any name.
    private func withStoredClasses(_ sync: IncomingSync) -> IncomingSync {
        var sync = sync
        for index in sync.fragments.indices where !sync.fragments[index].isAdd {
            guard let handle = graph.handle(of: sync.fragments[index].id) else { continue }
            let name = definition(of: handle).name
            if !name.hasSameBytes(as: sync.fragments[index].className) { sync.fragments[index].className = name }
        }
        return sync
    }
}

/// The steps for applying fragments to a scope.
private struct SyncApplication {
    var scope: HostedScope
    /// The fragments, with checked references in lower case.
    var fragments: [Fragment]
    var refusals: [JetstreamRefusal?]
    private let check: HostedScope.WriteCheck?
    /// The index of the fragment that adds an object, by the object's handle.
    private var additions: [Int: Int] = [:]
    /// The values of each added object.
    private var values: [[(slot: Int, value: ObjectGraph.Value)]]

    init(scope: HostedScope, fragments: [Fragment], check: HostedScope.WriteCheck?) {
        self.scope = scope
        self.fragments = fragments
        self.check = check
        refusals = Array(repeating: nil, count: fragments.count)
        values = Array(repeating: [], count: fragments.count)
    }

    mutating func run() {
        for index in fragments.indices where fragments[index].isAdd { create(index) }
        readAdditions()
        for index in fragments.indices where fragments[index].isAdd && refusals[index] == nil {
            set(values[index], of: fragments[index].id)
        }
        for index in fragments.indices where !fragments[index].isAdd { change(index) }
        refuseUnreferred()
    }

    private mutating func create(_ index: Int) {
        let fragment = fragments[index]
        guard let classIndex = scope.schema.classIndexes[fragment.className] else {
            return refuse(index, "there is no class \"\(fragment.className.excerpt(64))\"")
        }
        guard scope.graph.handle(of: fragment.id) == nil else { return refuse(index, "the object already exists") }
        guard scope.graph.count < scope.limits.objects else { return refuse(index, "the scope has too many objects") }
        let values = scope.schema.classes[classIndex].initialValues
        additions[scope.graph.create(fragment.id, classIndex: classIndex, values: values)] = index
    }

    /// Checks the properties of the added objects, and rejects those that refer to a rejected object.
    private mutating func readAdditions() {
        var referring: [Int: [Int]] = [:]
        var refused: [Int] = []
        for index in fragments.indices where fragments[index].isAdd && refusals[index] == nil {
            guard let handle = scope.graph.handle(of: fragments[index].id) else { continue }
            do {
                values[index] = try checkedValues(index, of: handle)
            } catch {
                refusals[index] = error
                refused.append(handle)
            }
            for (_, value) in values[index] {
                value.forEachHandle { if additions[$0] != nil { referring[$0, default: []].append(index) } }
            }
        }
        var next = 0
        while next < refused.count {
            for index in referring[refused[next]] ?? [] where refusals[index] == nil {
                refuse(index, "refers to an object that was refused")
                if let handle = scope.graph.handle(of: fragments[index].id) { refused.append(handle) }
            }
            next += 1
        }
        for handle in refused { discard(handle) }
    }

    private mutating func change(_ index: Int) {
        let id = fragments[index].id
        guard let handle = scope.graph.handle(of: id), additions[handle] == nil else {
            return refuse(index, "the object does not exist")
        }
        do {
            set(try checkedValues(index, of: handle), of: id)
        } catch {
            refusals[index] = error
        }
    }

    private mutating func set(_ values: [(slot: Int, value: ObjectGraph.Value)], of id: ObjectID) {
        guard let handle = scope.graph.handle(of: id) else { return }
        for (slot, value) in values { scope.graph.set(handle, slot: slot, to: value) }
    }

    /// Rejects added objects that nothing refers to, and those that only such objects refer to.
    private mutating func refuseUnreferred() {
        var open = fragments.indices.filter { fragments[$0].isAdd && refusals[$0] == nil }
        while let index = open.popLast() {
            guard refusals[index] == nil, let handle = scope.graph.handle(of: fragments[index].id),
                scope.graph[handle].parents.isEmpty
            else { continue }
            refuse(index, "no object refers to it")
            for value in scope.graph[handle].values {
                value.forEachHandle { if let child = additions[$0] { open.append(child) } }
            }
            discard(handle)
        }
    }

    private mutating func discard(_ handle: Int) {
        additions[handle] = nil
        scope.graph.discard(handle)
    }

    private mutating func refuse(_ index: Int, _ message: String) {
        refusals[index] = JetstreamRefusal(message, type: "could-not-apply-sync-message")
    }
}

// MARK: Values

extension SyncApplication {
    /// Returns the values of a fragment for an object. References in the fragment are converted to lower case.
    private mutating func checkedValues(
        _ index: Int,
        of handle: Int
    ) throws(JetstreamRefusal) -> [(slot: Int, value: ObjectGraph.Value)] {
        let definition = scope.definition(of: handle)
        let fragment = fragments[index]
        var values: [(slot: Int, value: ObjectGraph.Value)] = []
        for (name, value) in fragment.properties {
            guard let slot = definition.slots[name] else {
                throw refusal("the class has no property \"\(name.excerpt(64))\"")
            }
            let property = definition.properties[slot]
            if let check {
                do { try check(fragment, name, value) } catch { throw JetstreamRefusal(error) }
            }
            guard case .object(let classIndex) = property.kind else {
                guard let stored = scope.schema.stored(value, property, isOwn: false) else { throw misfit(property) }
                values.append((slot, .scalar(stored)))
                continue
            }
            let (references, canonical) = try references(value, property, classIndex)
            if let canonical { fragments[index].properties[name] = canonical }
            values.append((slot, references))
        }
        guard scope.graph.byteCount + values.reduce(0, { $0 + $1.value.byteCount }) <= scope.limits.bytes else {
            throw refusal("the scope is full")
        }
        return values
    }

    /// Returns the objects that a value refers to, and the value in lower case if it differs.
    private func references(
        _ value: JSONValue,
        _ property: Schema.Property,
        _ classIndex: Int
    ) throws(JetstreamRefusal) -> (ObjectGraph.Value, JSONValue?) {
        guard property.isArray else {
            if value.isNull { return (.reference(nil), nil) }
            let (handle, canonical) = try reference(value, property, classIndex)
            return (.reference(handle), canonical.map { .string($0) })
        }
        guard case .array(let elements) = value else { throw misfit(property) }
        var handles: [Int] = []
        handles.reserveCapacity(elements.count)
        var canonical: [JSONValue]?
        for (index, element) in elements.enumerated() {
            let (handle, text) = try reference(element, property, classIndex)
            handles.append(handle)
            guard let text else { continue }
            canonical = canonical ?? elements
            canonical?[index] = .string(text)
        }
        return (.references(handles), canonical.map { .array($0) })
    }

    private func reference(
        _ value: JSONValue,
        _ property: Schema.Property,
        _ classIndex: Int
    ) throws(JetstreamRefusal) -> (Int, String?) {
        guard case .string(let text) = value else { throw misfit(property) }
        guard let id = ObjectID(text), let handle = scope.graph.handle(of: id) else {
            throw refusal("the property \"\(property.name)\" refers to an unknown object")
        }
        guard scope.schema.isClass(scope.graph[handle].classIndex, classIndex) else {
            throw refusal("the property \"\(property.name)\" refers to an object of another class")
        }
        let hasUpperCase = text.utf8.contains { 0x41...0x46 ~= $0 }
        return (handle, hasUpperCase ? id.text : nil)
    }

    private func misfit(_ property: Schema.Property) -> JetstreamRefusal {
        refusal("the value does not match the type of the property \"\(property.name)\"")
    }

    private func refusal(_ message: String) -> JetstreamRefusal {
        JetstreamRefusal(message, type: "could-not-apply-sync-message")
    }
}
