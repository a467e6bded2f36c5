internal import HeliumConcurrency
internal import Synchronization

extension AppNetRecord {
    /// The steps that translate to pnut.io, in order.
    static var pnutSteps: [PnutStep] {
        if let known = PnutSteps.known.withLock({ $0[ObjectIdentifier(Self.self)] }) { return known }
        let steps = PnutSteps.collected(from: Self.self)
        PnutSteps.known.withLock { $0[ObjectIdentifier(Self.self)] = steps }
        return steps
    }
}

/// A visitor that collects the steps of a record from its list of members, by the types and positions of their values.
private struct PnutSteps: MemberVisitor {
    /// The steps of each type of record that has been translated.
    static let known = Guarded<[ObjectIdentifier: [PnutStep]]>([:])

    private var parts: [PnutStep] = []
    private var places: [PnutStep] = []

    static func collected<Record: AppNetRecord>(from type: Record.Type) -> [PnutStep] {
        var visitor = PnutSteps()
        var empty = Record()
        // The visitor's own methods throw nothing.
        try? empty.visit(&visitor)
        // Values are translated under App.net's names, so this happens before members are moved.
        return Record.pnutDifferences + visitor.parts + visitor.places
    }

    mutating func member<Value: WireScalar>(_ name: StaticString, _ value: inout Value?, _ facts: MemberFacts) {
        place(name.description, facts.pnut)
    }

    mutating func list<Value: WireScalar>(_ name: StaticString, _ values: inout [Value]?, _ facts: MemberFacts) {
        place(name.description, facts.pnut)
    }

    mutating func map<Value: WireScalar>(_ name: StaticString, _ values: inout [String: Value]?, _ facts: MemberFacts) {
        place(name.description, facts.pnut)
    }

    mutating func value<Value: MemberValue>(_ name: StaticString, _ value: inout Value?, _ facts: MemberFacts) {
        add(name.description, Value.self, facts.pnut)
    }

    mutating func box<Value: MemberValue>(_ name: StaticString, _ value: inout Box<Value>?, _ facts: MemberFacts) {
        add(name.description, Value.self, facts.pnut)
    }

    private mutating func add(_ name: String, _ type: any PnutTranslated.Type, _ place: PnutMember) {
        if type == [Annotation].self {
            places.append(.annotations)
            return
        }
        if case .like(let other) = place {
            parts.append(.part(name, other))
        } else if !(type is any SameOnPnut.Type) {
            parts.append(.part(name, type))
        }
        self.place(name, place)
    }

    private mutating func place(_ name: String, _ place: PnutMember) {
        switch place {
        case .same, .like: break
        case .named(let pnut): places.append(.rename(name, pnut: pnut.description))
        case .inside(let holder, let pnut): nest((name, pnut?.description ?? name), in: holder.description)
        case .missing: places.append(.appNetOnly(name))
        case .unsettable(let reason): places.append(.unsettable(name, reason: reason.description))
        case .inverted(let pnut): places.append(.inverted(name, pnut: pnut.description))
        case .identifiedBy(let pnut): places.append(.identifier(name, pnut: pnut.description))
        }
    }

    /// Adds a member to the nesting step of its holder. One step per holder removes the holder with its last member.
    private mutating func nest(_ member: (name: String, pnut: String), in holder: String) {
        for (index, step) in places.enumerated() {
            if case .nest(let members, holder) = step {
                places[index] = .nest(members + [member], in: holder)
                return
            }
        }
        places.append(.nest([member], in: holder))
    }
}
