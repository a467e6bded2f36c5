internal import HeliumJSON
internal import HeliumServerKit

/// A condition of a filter (Docs/Protocols/AppNet.md §2.11).
struct FilterClause: Hashable, Sendable {
    enum Operator: String, Hashable, Sendable {
        case equals, matches, lt, le, gt, ge
        case oneOf = "one_of"
    }

    /// The variable for the users who gave the app a token.
    static let authorizedUsers = "$authorized_userids"

    let objectType: String
    let field: FilterPointer
    let operation: Operator
    /// The value as it was written: a text, a whole number or a list of these.
    let value: JSONValue

    /// The value in the form in which it is compared, which is made once.
    private let wanted: Wanted

    private enum Wanted: Hashable, Sendable {
        case text(String)
        case part(FilterPart)
        case integer(Int64)
        case texts(Set<String>)
        case authorizedUsers
        case nothing
    }

    private init(objectType: String, field: FilterPointer, operation: Operator, value: JSONValue) {
        self.objectType = objectType
        self.field = field
        self.operation = operation
        self.value = value
        wanted =
            switch (operation, value) {
            case (.equals, _): Self.text(value).map { .text($0) } ?? .nothing
            case (.matches, _): Self.text(value).map { .part(FilterPart($0)) } ?? .nothing
            case (.lt, _), (.le, _), (.gt, _), (.ge, _): Self.integer(value).map { .integer($0) } ?? .nothing
            case (.oneOf, .array(let elements)): .texts(Set(elements.compactMap(Self.text)))
            case (.oneOf, .string(Self.authorizedUsers)): .authorizedUsers
            case (.oneOf, _): .nothing
            }
    }

    /// Returns whether one of the values of the field in an app stream's message matches. The time is proportional to the
    /// size of the message.
    func matches(_ subject: FilterSubject) throws -> Bool {
        let found = field.values(in: subject.message)
        switch wanted {
        case .text(let text):
            return found.contains { Self.text($0) == text }
        case .part(let part):
            return found.contains { if case .string(let text) = $0 { subject.has(part, in: text) } else { false } }
        case .integer(let bound):
            return found.contains { Self.integer($0).map { isOrdered($0, bound) } ?? false }
        case .texts(let texts):
            return found.contains { Self.text($0).map(texts.contains) ?? false }
        case .authorizedUsers:
            return try found.compactMap(Self.integer).contains(where: subject.isAuthorized)
        case .nothing:
            return false
        }
    }

    private func isOrdered(_ number: Int64, _ bound: Int64) -> Bool {
        switch operation {
        case .lt: number < bound
        case .le: number <= bound
        case .gt: number > bound
        case .ge: number >= bound
        case .equals, .matches, .oneOf: false
        }
    }

    /// Returns the text of a scalar. Ids are texts of digits, and clients also write them as numbers.
    private static func text(_ value: JSONValue) -> String? {
        switch value {
        case .string, .number: value.lenientText
        case .bool(let flag): flag ? "true" : "false"
        default: nil
        }
    }

    private static func integer(_ value: JSONValue) -> Int64? {
        value.lenientText.flatMap { Int64($0) }
    }
}

extension FilterClause {
    /// The JSON object of the clause.
    var document: JSONValue {
        [
            "object_type": .string(objectType), "field": .string(field.text),
            "operator": .string(operation.rawValue), "value": value,
        ]
    }

    /// Parses a clause.
    ///
    /// - Throws: ``AppNetFailure`` with 400 and the reason if the clause is invalid.
    init(_ document: JSONValue) throws(AppNetFailure) {
        guard case .string(let type)? = document["object_type"], Self.objectTypes.contains(type) else {
            throw .badRequest(
                "A clause's object_type must be one of \(Self.objectTypes.sorted().joined(separator: ", "))."
            )
        }
        guard case .string(let pointer)? = document["field"], pointer.utf8.count <= 512,
            let field = FilterPointer(pointer)
        else { throw .badRequest("A clause's field must be a JSON Pointer.") }
        guard case .string(let name)? = document["operator"], let operation = Operator(rawValue: name) else {
            throw .badRequest("A clause's operator must be one of equals, matches, lt, le, gt, ge, one_of.")
        }
        guard let value = document["value"] else { throw .badRequest("A clause needs a value.") }
        switch (operation, value) {
        case (.oneOf, .array(let elements))
        where elements.count <= 1000 && elements.allSatisfy({ Self.text($0) != nil }):
            break
        case (.oneOf, .string(Self.authorizedUsers)): break
        case (.oneOf, _): throw .badRequest("one_of needs a list of at most 1000 texts or numbers.")
        case (.lt, _), (.le, _), (.gt, _), (.ge, _):
            try require(Self.integer(value) != nil, "\(name) needs a whole number.")
        default:
            guard let text = Self.text(value), text.utf8.count <= 4096 else {
                throw .badRequest("\(name) needs a text or a number.")
            }
        }
        self.init(objectType: type, field: field, operation: operation, value: value)
    }

    private static let objectTypes = Set(AppNetEvent.Kind.allCases.map(\.rawValue))
}
