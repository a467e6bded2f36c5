internal import HeliumJSON

/// `+net.app.core.place` (§4.2): `{factual_id}` becomes the place's members.
enum PlaceReplacement {
    /// Checks a replacement value as a client wrote it, and gives what is stored in its place.
    ///
    /// - Throws: ``AppNetFailure`` with 400 for a place that does not exist.
    static func accepted(_ value: JSONValue, context: AppNetContext) throws -> JSONValue {
        guard let id = value["factual_id"]?.stringValue else {
            throw AppNetFailure.badRequest("+net.app.core.place needs a factual_id.")
        }
        try require(PlaceDirectory.place(id) != nil, "There is no such place.")
        return ["factual_id": .string(id)]
    }

    /// The members that a stored value becomes.
    static func expanded(_ stored: JSONValue, renderer: AppNetRenderer) throws -> JSONObject {
        let place = stored["factual_id"]?.stringValue.flatMap(PlaceDirectory.place)
        return place?.rendered().objectValue ?? ["factual_id": stored["factual_id"] ?? .null]
    }
}
