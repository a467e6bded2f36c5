internal import HeliumJSON

/// A value that has a document of its own.
protocol NamedRecord: CosmRecord, CosmDocument {
    /// The name of the member that wraps a single value in JSON: `key` in `{"key": {…}}`.
    static var wrapper: StaticString { get }

    /// The name of the member that wraps several values in JSON: `keys` in `{"keys": […]}`.
    static var listWrapper: StaticString { get }

    /// The member with a list whose records are left out if they cannot be read; `nil` if there is none.
    static var innerList: StaticString? { get }

    /// Reads the members of a version 1 record that were kept in `extra`.
    ///
    /// - Throws: ``MemberFault`` for members that cannot be read.
    mutating func adoptVersion1() throws(MemberFault)
}

extension NamedRecord {
    static var innerList: StaticString? { nil }

    mutating func adoptVersion1() throws(MemberFault) {}
}

extension Feed: NamedRecord {
    static var wrapper: StaticString { "feed" }
    static var listWrapper: StaticString { "feeds" }
    static var innerList: StaticString? { "datastreams" }
}

extension Datastream: NamedRecord {
    static var wrapper: StaticString { "datastream" }
    static var listWrapper: StaticString { "datastreams" }
    static var innerList: StaticString? { "datapoints" }
}

extension Datapoint: NamedRecord {
    static var wrapper: StaticString { "datapoint" }
    static var listWrapper: StaticString { "datapoints" }
}

extension Trigger: NamedRecord {
    static var wrapper: StaticString { "trigger" }
    static var listWrapper: StaticString { "triggers" }
}

extension APIKey: NamedRecord {
    static var wrapper: StaticString { "key" }
    static var listWrapper: StaticString { "keys" }
}

extension User: NamedRecord {
    static var wrapper: StaticString { "user" }
    static var listWrapper: StaticString { "users" }
}
