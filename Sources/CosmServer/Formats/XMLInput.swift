internal import HeliumJSON
internal import HeliumServerKit

/// Reads the XML of requests: EEML 0.5.1, the older 005, and the documents of keys, triggers and users
/// (Docs/Protocols/Cosm.md §13).
///
/// An empty element or attribute counts as absent.
enum XMLInput {
    /// Returns the environment of a document, and whether it has the older version.
    private static func environment(_ root: XMLNode) throws(CosmFailure) -> (XMLNode, isOld: Bool) {
        guard root.name == "eeml" else { throw .unreadable(.xml, "the root is not eeml") }
        guard let environment = root.child("environment") else { throw .unreadable(.xml, "environment is missing") }
        let isOld = root.attributes["version"] == "5" || root.attributes["xmlns"] == "http://www.eeml.org/xsd/005"
        return (environment, isOld)
    }

    static func feed(_ root: XMLNode) throws(CosmFailure) -> FeedInput {
        let (environment, isOld) = try environment(root)
        var input = FeedInput()
        input.title = change(environment.text("title"))
        input.description = change(environment.text("description"))
        input.website = change(environment.text("website"))
        input.email = change(environment.text("email"))
        input.icon = change(environment.text("icon"))
        input.tags = tags(environment)
        input.isPrivate = try boolean(environment.text("private"), "private")
        if let location = environment.child("location") {
            input.location = LocationInput(
                name: change(location.text("name")),
                domain: change(location.attribute("domain")),
                exposure: change(location.attribute("exposure")),
                disposition: change(location.attribute("disposition")),
                latitude: try number(location.text("lat"), "lat"),
                longitude: try number(location.text("lon"), "lon"),
                elevation: change(location.text("ele"))
            )
        }
        let updated = isOld ? try stamp(environment.attribute("updated")) : nil
        for data in environment.children("data") {
            input.datastreams.append(try datastream(data, isOld: isOld, updated: updated))
        }
        return input
    }

    static func datastreamsToCreate(_ root: XMLNode) throws(CosmFailure) -> [DatastreamInput] {
        try feed(root).datastreams
    }

    /// Reads a document with exactly one datastream.
    static func datastream(_ root: XMLNode) throws(CosmFailure) -> DatastreamInput {
        let (environment, isOld) = try environment(root)
        let all = environment.children("data")
        guard all.count == 1 else { throw .unreadable(.xml, "there must be one data element") }
        let updated = isOld ? try stamp(environment.attribute("updated")) : nil
        return try datastream(all[0], isOld: isOld, updated: updated)
    }

    private static func datastream(
        _ data: XMLNode,
        isOld: Bool,
        updated: ServerInstant?
    ) throws(CosmFailure) -> DatastreamInput {
        var input = DatastreamInput()
        input.id = data.attribute("id") ?? ""
        input.tags = tags(data)
        if let unit = data.child("unit") {
            input.unit = UnitInput(
                label: change(unit.text.isEmpty ? nil : unit.text),
                symbol: change(unit.attribute("symbol")),
                type: change(unit.attribute("type"))
            )
        }
        if isOld {
            guard let value = data.child("value") else { return input }
            input.currentValue = change(value.text.isEmpty ? nil : value.text)
            input.at = updated
            input.minimum = try number(value.attribute("minValue"), "minValue")
            input.maximum = try number(value.attribute("maxValue"), "maxValue")
            return input
        }
        if let current = data.child("current_value") {
            input.currentValue = change(current.text.isEmpty ? nil : current.text)
            input.at = try stamp(current.attribute("at"))
        }
        input.minimum = try number(data.text("min_value"), "min_value")
        input.maximum = try number(data.text("max_value"), "max_value")
        for list in data.children("datapoints") { input.datapoints += try points(list) }
        return input
    }

    /// Returns the points of a batch, from all data elements.
    static func datapoints(_ root: XMLNode) throws(CosmFailure) -> [Datapoint] {
        let (environment, _) = try environment(root)
        // One client sends a list without a data element.
        let lists =
            environment.children("data").flatMap { $0.children("datapoints") } + environment.children("datapoints")
        guard !lists.isEmpty else { throw .unreadable(.xml, "datapoints is missing") }
        var all: [Datapoint] = []
        for list in lists { all += try points(list) }
        return all
    }

    private static func points(_ list: XMLNode) throws(CosmFailure) -> [Datapoint] {
        var points: [Datapoint] = []
        for value in list.children("value") {
            guard let at = try stamp(value.attribute("at")) else { throw .invalidStamp(.xml) }
            points.append(Datapoint(at: at, value: value.text))
        }
        return points
    }

    /// Returns the value of a document's only point. The path has its timestamp.
    static func value(_ root: XMLNode) throws(CosmFailure) -> String {
        let (environment, _) = try environment(root)
        let values = environment.children("data").flatMap { $0.children("datapoints") }.flatMap { $0.children("value") }
        guard values.count == 1 else { throw .unreadable(.xml, "there must be one value") }
        return values[0].text
    }

    private static func tags(_ node: XMLNode) -> Change<[String]> {
        let tags = TagList.cleaned(node.children("tag").map(\.text))
        return tags.isEmpty ? .unchanged : .set(tags)
    }

    private static func change(_ text: String?) -> Change<String> { text.map { .set($0) } ?? .unchanged }

    private static func number(_ text: String?, _ name: String) throws(CosmFailure) -> Change<Double> {
        guard let text else { return .unchanged }
        guard let number = NumericText.number(text) else { throw .invalid("\(name) is not a number") }
        return .set(number)
    }

    /// Reads a Boolean value of XML Schema, in any letter case (Docs/Protocols/Cosm.md §10).
    private static func boolean(_ text: String?, _ name: String) throws(CosmFailure) -> Change<Bool> {
        guard let text else { return .unchanged }
        switch text.lowercased() {
        case "true", "1": return .set(true)
        case "false", "0": return .set(false)
        default: throw .invalid("\(name) is neither true nor false")
        }
    }

    private static func stamp(_ text: String?) throws(CosmFailure) -> ServerInstant? {
        guard let text else { return nil }
        guard let instant = ServerInstant(text) else { throw .invalidStamp(.xml) }
        return instant
    }
}

// MARK: Keys, triggers and users, converted to the equivalent JSON

extension XMLInput {
    static func key(_ root: XMLNode) throws(CosmFailure) -> JSONValue {
        guard root.name == "key" else { throw .unreadable(.xml, "the root is not key") }
        var key = members(root, ["label", "expires-at", "private-access"])
        let permissions = (root.child("permissions") ?? root).children("permission").map { permission -> JSONValue in
            var object = members(permission, ["label", "referer", "source-ip", "minimum-interval"])
            let methods = permission.child("access-methods")?.children("access-method") ?? []
            object["access_methods"] = .array(methods.map { .string($0.text) })
            let resources = permission.child("resources")?.children("resource") ?? []
            object["resources"] = .array(
                resources.map { .object(members($0, ["feed-id", "datastream-id", "datastream-trigger-id"])) }
            )
            return .object(object)
        }
        key["permissions"] = .array(permissions)
        return .object(key)
    }

    static func trigger(_ root: XMLNode) throws(CosmFailure) -> JSONValue {
        guard root.name == "datastream-trigger" else {
            throw .unreadable(.xml, "the root is not datastream-trigger")
        }
        return .object(members(root, ["url", "trigger-type", "threshold-value", "environment-id", "stream-id"]))
    }

    static func user(_ root: XMLNode) throws(CosmFailure) -> JSONValue {
        guard root.name == "user" else { throw .unreadable(.xml, "the root is not user") }
        var user = JSONObject()
        for child in root.children {
            switch child.name {
            case "roles": user["roles"] = .array(child.children("role").map { .string($0.text) })
            case "creatable_roles":
                user["creatable_roles"] = .array(child.children("creatable_role").map { .string($0.text) })
            default: if !child.text.isEmpty { user[child.name] = .string(child.text) }
            }
        }
        return .object(user)
    }

    /// Returns children as members. Hyphens in their names become underscores.
    private static func members(_ node: XMLNode, _ names: [String]) -> JSONObject {
        var object = JSONObject()
        for name in names { object.set(name.replacing("-", with: "_"), node.text(name)) }
        return object
    }
}
