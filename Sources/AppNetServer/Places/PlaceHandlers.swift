internal import HeliumJSON
internal import HeliumServerKit

/// The calls for places (Docs/Protocols/AppNet.md §2.8).
struct PlaceHandlers: RequestScoped {
    let context: AppNetContext

    /// Handles `GET places/{factual_id}`.
    func read() throws -> AppNetResponse {
        guard let place = PlaceDirectory.place(context.segment("factual_id")) else { throw AppNetFailure.notFound }
        return .data(place.rendered())
    }

    /// Handles `GET places/search`.
    func search() throws -> AppNetResponse {
        let found = PlaceDirectory.search(try PlaceQuestion(context.parameters))
        return .data(.array(found.map { $0.place.rendered(distance: $0.distance) }))
    }
}

extension PlaceQuestion {
    /// Reads the parameters of a search.
    ///
    /// - Throws: ``AppNetFailure`` with 400 if a parameter is missing or out of range.
    init(_ query: FormFields) throws(AppNetFailure) {
        func number(_ name: String, _ range: ClosedRange<Double>) throws(AppNetFailure) -> Double? {
            guard let value = try query.number(name) else { return nil }
            try require(range ~= value, "\(name) must be between \(range.lowerBound) and \(range.upperBound).")
            return value
        }
        guard let latitude = try number("latitude", -90...90) else {
            throw .badRequest("You must supply a latitude parameter.")
        }
        guard let longitude = try number("longitude", -180...180) else {
            throw .badRequest("You must supply a longitude parameter.")
        }
        self.init(latitude: latitude, longitude: longitude)
        radius = try number("radius", 0.001...50_000) ?? radius
        name = query["q"]
        removesClosed = query.flag("remove_closed") ?? true
        guard let count = try query.integer("count") else { return }
        try require(1...100 ~= count, "count must be between 1 and 100.")
        self.count = count
    }
}
