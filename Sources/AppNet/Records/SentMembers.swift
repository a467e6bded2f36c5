internal import HeliumJSON

extension AppNetRecord {
    /// Returns the record with only the members that clients send.
    ///
    /// - Parameter onCreation: Whether to include members that can only be set when an object is created.
    func sent(onCreation: Bool = false) -> Self {
        var copy = self
        copy.extra = JSONObject()
        var visitor = SentMembers(onCreation: onCreation)
        // The visitor's own methods throw nothing.
        try? copy.visit(&visitor)
        return copy
    }
}

/// Removes the members that are not sent.
struct SentMembers: MemberVisitor {
    let onCreation: Bool

    private func isSent(_ facts: MemberFacts) -> Bool {
        switch facts.sent {
        case .never: false
        case .onCreation: onCreation
        case .always, .inPart: true
        }
    }

    func member<Value: WireScalar>(_ name: StaticString, _ value: inout Value?, _ facts: MemberFacts) {
        if !isSent(facts) { value = nil }
    }

    func list<Value: WireScalar>(_ name: StaticString, _ values: inout [Value]?, _ facts: MemberFacts) {
        if !isSent(facts) { values = nil }
    }

    func map<Value: WireScalar>(_ name: StaticString, _ values: inout [String: Value]?, _ facts: MemberFacts) {
        if !isSent(facts) { values = nil }
    }

    func value<Value: MemberValue>(_ name: StaticString, _ value: inout Value?, _ facts: MemberFacts) {
        if !isSent(facts) { value = nil }
        if facts.sent == .inPart, let record = value as? any AppNetRecord {
            value = record.sent(onCreation: onCreation) as? Value
        }
    }

    func box<Value: MemberValue>(_ name: StaticString, _ value: inout Box<Value>?, _ facts: MemberFacts) {
        if !isSent(facts) { value = nil }
    }
}
