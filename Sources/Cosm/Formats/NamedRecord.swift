internal import HeliumJSON

/// A value that comes as a document of its own.
protocol NamedRecord: CosmRecord, CosmDocument, JSONReadable {
    /// What wraps one in JSON: `key` in `{"key": {…}}`.
    static var wrapper: StaticString { get }

    /// What wraps several in JSON: `keys` in `{"keys": […]}`.
    static var listWrapper: StaticString { get }

    /// Reads what a record of version 1 has that was kept as it stood.
    ///
    /// - Throws: ``MemberFault`` for members that can't be read.
    mutating func adoptVersion1() throws(MemberFault)
}

extension NamedRecord {
    mutating func adoptVersion1() throws(MemberFault) {}
}

extension Feed: NamedRecord {
    static var wrapper: StaticString { "feed" }
    static var listWrapper: StaticString { "feeds" }
}

extension Datastream: NamedRecord {
    static var wrapper: StaticString { "datastream" }
    static var listWrapper: StaticString { "datastreams" }
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
