import Foundation
import HeliumKit

/// Finds JSON objects with two members of the same name. A `JSONValue` has only the first of them, so that a command
/// that prints a value must say it.
enum EqualMembers {
    /// Returns the error of the first such member; `nil` if there is none, or if the document is not JSON.
    static func fault(of document: Data, maximumDepth: Int = JSONLimits().maximumDepth) -> DecodingError? {
        do {
            _ = try JSONValue(
                parsing: document,
                limits: JSONLimits(maximumDepth: maximumDepth, duplicateMembers: .refused)
            )
            return nil
        } catch {
            guard areOnlyFault(of: document, maximumDepth: maximumDepth) else { return nil }
            return error as? DecodingError
        }
    }

    /// Returns whether a document that was rejected because of equal members, or for another reason, is valid without
    /// that rule.
    static func areOnlyFault(of document: Data, maximumDepth: Int) -> Bool {
        (try? JSONValue(parsing: document, limits: JSONLimits(maximumDepth: maximumDepth))) != nil
    }
}
