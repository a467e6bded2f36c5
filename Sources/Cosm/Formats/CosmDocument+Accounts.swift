package import Foundation

// The formats of triggers, keys and users: JSON and XML.

extension Trigger: CosmDocument, CosmListElement {
    /// Reads a trigger.
    ///
    /// - Throws: ``CosmDocumentError`` with the position and the reason. Always throws for CSV, which cannot hold a
    ///   trigger.
    package static func readValue(_ data: Data, as format: CosmFormat, dialect: CosmDialect) throws -> ReadDocument<
        Trigger
    > {
        switch format {
        case .json: try JSONFormat.read(Trigger.self, data, dialect)
        case .csv: throw CSVFormat.refusal("triggers")
        case .xml: try RecordMarkup.read(data, .trigger)
        }
    }

    /// Reads triggers.
    ///
    /// - Throws: ``CosmDocumentError`` with the position and the reason. Always throws for CSV, which cannot hold
    ///   triggers.
    package static func readList(
        _ data: Data,
        as format: CosmFormat,
        dialect: CosmDialect
    ) throws -> ReadDocument<[Trigger]> {
        switch format {
        case .json: try JSONFormat.readList(Trigger.self, data, dialect)
        case .csv: throw CSVFormat.refusal("triggers")
        case .xml: try RecordMarkup.readList(data, .trigger)
        }
    }

    /// Reads triggers without those that cannot be read.
    ///
    /// - Throws: ``CosmDocumentError`` with the position and the reason. Always throws for CSV, which cannot hold
    ///   triggers.
    package static func readItems(
        _ data: Data,
        as format: CosmFormat,
        dialect: CosmDialect
    ) throws -> ReadDocument<CosmList<Trigger>> {
        switch format {
        case .json: try JSONFormat.readItems(Trigger.self, data, dialect)
        case .csv: throw CSVFormat.refusal("triggers")
        case .xml: try RecordMarkup.readItems(data, .trigger)
        }
    }

    /// Writes the trigger.
    ///
    /// - Throws: ``CosmDocumentError`` for CSV, which cannot hold a trigger.
    package func encodedValue(as format: CosmFormat) throws -> EncodedDocument {
        switch format {
        case .json: try JSONFormat.write(self)
        case .csv: throw CSVFormat.refusal("triggers")
        case .xml: try RecordMarkup.write(self, .trigger)
        }
    }

    /// Writes triggers.
    ///
    /// - Throws: ``CosmDocumentError`` for CSV, which cannot hold triggers.
    package static func encodedList(_ list: [Trigger], as format: CosmFormat) throws -> EncodedDocument {
        switch format {
        case .json: try JSONFormat.write(list)
        case .csv: throw CSVFormat.refusal("triggers")
        case .xml: try RecordMarkup.writeList(list, .trigger)
        }
    }
}

extension APIKey: CosmDocument, CosmListElement {
    /// Reads a key.
    ///
    /// - Throws: ``CosmDocumentError`` with the position and the reason. Always throws for CSV, which cannot hold a
    ///   key.
    package static func readValue(_ data: Data, as format: CosmFormat, dialect: CosmDialect) throws -> ReadDocument<
        APIKey
    > {
        switch format {
        case .json: try JSONFormat.read(APIKey.self, data, dialect)
        case .csv: throw CSVFormat.refusal("keys")
        case .xml: try RecordMarkup.read(data, .key)
        }
    }

    /// Reads keys.
    ///
    /// - Throws: ``CosmDocumentError`` with the position and the reason. Always throws for CSV, which cannot hold keys.
    package static func readList(
        _ data: Data,
        as format: CosmFormat,
        dialect: CosmDialect
    ) throws -> ReadDocument<[APIKey]> {
        switch format {
        case .json: try JSONFormat.readList(APIKey.self, data, dialect)
        case .csv: throw CSVFormat.refusal("keys")
        case .xml: try RecordMarkup.readList(data, .key)
        }
    }

    /// Reads keys without those that cannot be read.
    ///
    /// - Throws: ``CosmDocumentError`` with the position and the reason. Always throws for CSV, which cannot hold
    ///   keys.
    package static func readItems(
        _ data: Data,
        as format: CosmFormat,
        dialect: CosmDialect
    ) throws -> ReadDocument<CosmList<APIKey>> {
        switch format {
        case .json: try JSONFormat.readItems(APIKey.self, data, dialect)
        case .csv: throw CSVFormat.refusal("keys")
        case .xml: try RecordMarkup.readItems(data, .key)
        }
    }

    /// Writes the key.
    ///
    /// - Throws: ``CosmDocumentError`` for CSV, which cannot hold a key.
    package func encodedValue(as format: CosmFormat) throws -> EncodedDocument {
        switch format {
        case .json: try JSONFormat.write(self, in: Self.wrapper)
        case .csv: throw CSVFormat.refusal("keys")
        case .xml: try RecordMarkup.write(self, .key)
        }
    }

    /// Writes keys.
    ///
    /// - Throws: ``CosmDocumentError`` for CSV, which cannot hold keys.
    package static func encodedList(_ list: [APIKey], as format: CosmFormat) throws -> EncodedDocument {
        switch format {
        case .json: try JSONFormat.write(list, in: listWrapper)
        case .csv: throw CSVFormat.refusal("keys")
        case .xml: try RecordMarkup.writeList(list, .key)
        }
    }
}

extension User: CosmDocument, CosmListElement {
    /// Reads a user.
    ///
    /// - Throws: ``CosmDocumentError`` with the position and the reason. Always throws for CSV, which cannot hold a
    ///   user.
    package static func readValue(_ data: Data, as format: CosmFormat, dialect: CosmDialect) throws -> ReadDocument<
        User
    > {
        switch format {
        case .json: try JSONFormat.read(User.self, data, dialect)
        case .csv: throw CSVFormat.refusal("users")
        case .xml: try RecordMarkup.read(data, .user)
        }
    }

    /// Reads users.
    ///
    /// - Throws: ``CosmDocumentError`` with the position and the reason. Always throws for CSV, which cannot hold
    ///   users.
    package static func readList(
        _ data: Data,
        as format: CosmFormat,
        dialect: CosmDialect
    ) throws -> ReadDocument<[User]> {
        switch format {
        case .json: try JSONFormat.readList(User.self, data, dialect)
        case .csv: throw CSVFormat.refusal("users")
        case .xml: try RecordMarkup.readList(data, .user)
        }
    }

    /// Reads users without those that cannot be read.
    ///
    /// - Throws: ``CosmDocumentError`` with the position and the reason. Always throws for CSV, which cannot hold
    ///   users.
    package static func readItems(
        _ data: Data,
        as format: CosmFormat,
        dialect: CosmDialect
    ) throws -> ReadDocument<CosmList<User>> {
        switch format {
        case .json: try JSONFormat.readItems(User.self, data, dialect)
        case .csv: throw CSVFormat.refusal("users")
        case .xml: try RecordMarkup.readItems(data, .user)
        }
    }

    /// Writes the user.
    ///
    /// - Throws: ``CosmDocumentError`` for CSV, which cannot hold a user.
    package func encodedValue(as format: CosmFormat) throws -> EncodedDocument {
        switch format {
        case .json: try JSONFormat.write(self, in: Self.wrapper)
        case .csv: throw CSVFormat.refusal("users")
        case .xml: try RecordMarkup.write(self, .user)
        }
    }

    /// Writes users.
    ///
    /// - Throws: ``CosmDocumentError`` for CSV, which cannot hold users.
    package static func encodedList(_ list: [User], as format: CosmFormat) throws -> EncodedDocument {
        switch format {
        case .json: try JSONFormat.write(list.map { ["user": $0] })
        case .csv: throw CSVFormat.refusal("users")
        case .xml: try RecordMarkup.writeList(list, .user)
        }
    }
}
