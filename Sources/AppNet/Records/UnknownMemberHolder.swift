package import HeliumJSON

/// A value that can report the JSON members it has no property for.
package protocol UnknownMemberHolder {
    /// Calls `body` with the path of each unknown member, such as `data[2].user.badge`.
    func forEachUnknownMember(at path: String, _ body: (String) -> Void)
}

extension AppNetRecord {
    package func forEachUnknownMember(at path: String, _ body: (String) -> Void) {
        let prefix = path.isEmpty ? "" : path + "."
        for name in extra.names { body(prefix + name) }
        withoutActuallyEscaping(body) { body in
            var finder = UnknownMemberFinder(prefix: prefix, report: body)
            var copy = self
            // The visitor's own methods throw nothing.
            try? copy.visit(&finder)
        }
    }
}

/// A visitor that searches each property with members of its own.
private struct UnknownMemberFinder: MemberVisitor {
    let prefix: String
    let report: (String) -> Void

    func member<Value: WireScalar>(_ name: StaticString, _ value: inout Value?, _ facts: MemberFacts) {}
    func list<Value: WireScalar>(_ name: StaticString, _ values: inout [Value]?, _ facts: MemberFacts) {}
    func map<Value: WireScalar>(_ name: StaticString, _ values: inout [String: Value]?, _ facts: MemberFacts) {}

    func value<Value: MemberValue>(_ name: StaticString, _ value: inout Value?, _ facts: MemberFacts) {
        value?.forEachUnknownMember(at: prefix + name.description, report)
    }

    func box<Value: MemberValue>(_ name: StaticString, _ value: inout Box<Value>?, _ facts: MemberFacts) {
        value?.value.forEachUnknownMember(at: prefix + name.description, report)
    }
}

extension Array: UnknownMemberHolder where Element: UnknownMemberHolder {
    package func forEachUnknownMember(at path: String, _ body: (String) -> Void) {
        for (index, element) in enumerated() { element.forEachUnknownMember(at: "\(path)[\(index)]", body) }
    }
}

extension Dictionary: UnknownMemberHolder where Key == String, Value: UnknownMemberHolder {
    package func forEachUnknownMember(at path: String, _ body: (String) -> Void) {
        for name in keys.sorted() {
            self[name]?.forEachUnknownMember(at: path.isEmpty ? name : "\(path).\(name)", body)
        }
    }
}

/// A value of any shape, which has no unknown members.
extension JSONValue: UnknownMemberHolder {
    package func forEachUnknownMember(at path: String, _ body: (String) -> Void) {}
}
