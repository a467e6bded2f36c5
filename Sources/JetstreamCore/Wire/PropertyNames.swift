internal import HeliumJSON

/// The names of the sent properties of a class, shared by all fragments of its objects.
final class PropertyNames: Sendable {
    private let names: [String]

    /// The text before each value: the name in quotes, and a colon.
    private let beginnings: [[UInt8]]

    /// Creates a list of distinct names.
    init(_ names: [String]) {
        self.names = names
        beginnings = names.map { Array((JSONValue.string($0).text() + ":").utf8) }
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
        var isFirst = true
        for index in values.indices where !values[index].isNull {
            if !isFirst { text.append(syntax: ",") }
            isFirst = false
            text.append(plainSyntax: beginnings[index])
            text.append(values[index])
        }
        text.append(syntax: "}")
    }
}
