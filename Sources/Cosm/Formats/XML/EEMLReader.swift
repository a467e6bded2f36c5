internal import Foundation
internal import HeliumCore
internal import HeliumJSON

/// Reads EEML documents with feeds, datastreams and datapoints (Docs/Protocols/Cosm.md §13).
enum EEMLReader {
    static func feed(_ data: Data, _ dialect: CosmDialect) throws -> ReadDocument<Feed> {
        let document = try environments(data, dialect)
        let feed = try Feed(markup: try document.only())
        return ReadDocument(value: feed, membersAround: document.others)
    }

    static func page(_ data: Data, _ dialect: CosmDialect) throws -> ReadDocument<FeedPage> {
        let document = try environments(data, dialect, mayBeNone: true)
        var root = document.root
        root.children = root.children.filter { $0.name != "environment" }
        var page = try FeedPage(markup: root)
        var firstError: (any Error)?
        for environment in document.environments {
            do {
                page.results.append(try Feed(markup: environment))
            } catch {
                firstError = firstError ?? error
                page.unreadable.add(id: environment.attributes["id"], Feed.self, error)
            }
        }
        if page.results.isEmpty, !page.unreadable.hasUsableID, let firstError { throw firstError }
        return ReadDocument(value: page)
    }

    static func datastream(_ data: Data, _ dialect: CosmDialect) throws -> ReadDocument<Datastream> {
        let document = try environments(data, dialect)
        let environment = try document.only()
        let streams = environment.children(named: "data")
        guard let stream = streams.first, streams.count == 1 else {
            throw environment.fault("expected one <data> element, found \(streams.count)")
        }
        let others = document.others + environment.othersAroundData
        return ReadDocument(value: try Datastream(markup: stream), membersAround: others)
    }

    static func datastreams(_ data: Data, _ dialect: CosmDialect) throws -> ReadDocument<[Datastream]> {
        let document = try environments(data, dialect)
        let environment = try document.only()
        let streams = try environment.children(named: "data").map { try Datastream(markup: $0) }
        return ReadDocument(value: streams, membersAround: document.others + environment.othersAroundData)
    }

    static func datapoint(_ data: Data, _ dialect: CosmDialect) throws -> ReadDocument<Datapoint> {
        var document = try datapoints(data, dialect)
        guard document.value.count == 1, let point = document.value.popLast() else {
            let count = document.value.count
            throw CosmDocumentError(
                format: .xml,
                reason: "expected one <value> element, found \(count)",
                line: 1,
                path: "<datapoints>"
            )
        }
        return ReadDocument(value: point, membersAround: document.membersAround)
    }

    static func datapoints(_ data: Data, _ dialect: CosmDialect) throws -> ReadDocument<[Datapoint]> {
        let document = try environments(data, dialect)
        let environment = try document.only()
        let streams = environment.children(named: "data")
        guard let stream = streams.first, streams.count == 1 else {
            throw environment.fault("expected one <data> element, found \(streams.count)")
        }
        guard let list = stream.child("datapoints") else { throw stream.fault("the element <datapoints> is missing") }
        let around =
            stream.children.map(\.name).filter { $0 != "datapoints" }
            + list.attributes.keys.sorted().map { "datapoints@\($0)" }
        let points = try list.children.map { try Datapoint(markup: $0) }
        return ReadDocument(value: points, membersAround: document.others + environment.othersAroundData + around)
    }

    // MARK: Environments

    private struct Document {
        var root: MarkupNode
        var environments: [MarkupNode]

        /// The names of the attributes and elements beside the environments.
        var others: [String] {
            root.attributes.keys.sorted() + root.children.map(\.name).filter { $0 != "environment" }
        }

        func only() throws(CosmDocumentError) -> MarkupNode {
            guard let environment = environments.first, environments.count == 1 else {
                throw root.fault("expected one <environment> element, found \(environments.count)")
            }
            return environment
        }
    }

    /// Returns the environments of an `eeml` element, with datastreams in the form of version 2.
    private static func environments(
        _ data: Data,
        _ dialect: CosmDialect,
        mayBeNone: Bool = false
    ) throws(CosmDocumentError) -> Document {
        var (root, namespace) = try MarkupParser.parse(data)
        guard root.name == "eeml" else { throw root.fault("the root element is not <eeml>") }
        let stated = root.attributes.removeValue(forKey: "version")
        let isVersion1 =
            dialect == .version1 || stated?.hasSameBytes(as: "5") == true
            || namespace?.hasSameBytes(as: "http://www.eeml.org/xsd/005") == true
        var environments: [MarkupNode] = []
        for environment in root.children(named: "environment") {
            environments.append(try environment.normalizedEnvironment(isVersion1: isVersion1))
        }
        if environments.isEmpty && !mayBeNone { throw root.fault("the element <environment> is missing") }
        return Document(root: root, environments: environments)
    }
}

extension MarkupNode {
    /// The names of an environment's attributes and elements beside its datastreams, except the attributes of its feed
    /// (Docs/Protocols/Cosm.md §13).
    fileprivate var othersAroundData: [String] {
        let known: Set<String> = ["updated", "created", "id", "creator"]
        return attributes.keys.filter { !known.contains($0) }.sorted()
            + children.map(\.name).filter { $0 != "data" }
    }
}
