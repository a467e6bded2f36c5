internal import HeliumJSON

/// The names of the properties of a class that are sent, which all fragments of objects of the class share.
final class PropertyNames: Sendable {
    private let names: [String]

    /// Each name as it begins a member: in quotes, with a colon.
    private let beginnings: [[UInt8]]

    /// Names that differ.
    init(_ names: [String]) {
        self.names = names
        beginnings = names.map { Array((JSONValue.string($0).text() + ":").utf8) }
    }

    /// The members with the values that are not `null`.
    func object(_ values: [JSONValue]) -> JSONObject {
        var members: [JSONObject.Element] = []
        members.reserveCapacity(values.count)
        for (name, value) in zip(names, values) where !value.isNull { members.append((name, value)) }
        return JSONObject(distinct: members)
    }

    /// Writes an object of the values that are not `null`.
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
