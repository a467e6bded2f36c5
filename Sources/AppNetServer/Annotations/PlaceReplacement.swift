internal import HeliumJSON

/// The replacement value `+net.app.core.place` (Docs/Protocols/AppNet.md §4.2): `{factual_id}` is replaced by the
/// members of the place.
enum PlaceReplacement {
    /// Checks a replacement value of a client and returns its stored form.
    ///
    /// - Throws: ``AppNetFailure`` with 400 if the place does not exist.
    static func accepted(_ value: JSONValue, context: AppNetContext) throws -> JSONValue {
        guard let id = value["factual_id"]?.stringValue else {
            throw AppNetFailure.badRequest("+net.app.core.place needs a factual_id.")
        }
        try require(PlaceDirectory.place(id) != nil, "The place does not exist.")
        return ["factual_id": .string(id)]
    }

    /// Returns the members that replace a stored value in responses.
    static func expanded(_ stored: JSONValue, renderer: AppNetRenderer) throws -> JSONObject {
        let place = stored["factual_id"]?.stringValue.flatMap(PlaceDirectory.place)
        return place?.rendered().objectValue ?? ["factual_id": stored["factual_id"] ?? .null]
    }
}
