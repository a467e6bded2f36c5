internal import HeliumJSON

/// The names of the sent properties of a class, shared by all fragments of its objects.
final class PropertyNames: Sendable {
    private let names: [String]

    /// The text before all values. Before each, it is a comma, the name in quotes, and a colon.
    private let beginnings: [UInt8]

    /// The end of the text before each value.
    private let ends: [Int]

    /// Creates a list of distinct names.
    init(_ names: [String]) {
        self.names = names
        var beginnings: [UInt8] = []
        ends = names.map { name in
            beginnings += ",\(JSONValue.string(name).text()):".utf8
            return beginnings.count
        }
        self.beginnings = beginnings
    }

    /// Returns the members whose values are not `null`.
    func object(_ values: [JSONValue]) -> JSONObject {
        var members: [JSONObject.Element] = []
        members.reserveCapacity(values.count)
        for (name, value) in zip(names, values) where !value.isNull { members.append((name, value)) }
        return JSONObject(distinct: members)
    }

    /// Writes an object of the members whose values are not `null`.
    func write(_ values: [JSONValue], into text: inout JSONTextAssembly) {
        text.append(syntax: "{")
        beginnings.withUnsafeBufferPointer { beginnings in
            var isFirst = true
            for index in values.indices where !values[index].isNull {
                var start = index == 0 ? 0 : ends[index - 1]
                // There is no comma before the first one.
                if isFirst { start += 1 }
                isFirst = false
                text.append(plainSyntax: UnsafeBufferPointer(rebasing: beginnings[start..<ends[index]]))
                text.append(values[index])
            }
        }
        text.append(syntax: "}")
    }
}
