internal import HTTPTypes
internal import HeliumJSON

extension AppNetRoutes {
    /// Places (§2.8).
    static let placeRoutes: [AppNetRoute] = [
        AppNetRoute(.get, path: "places/{factual_id}", access: .any) { call in
            guard let place = PlaceDirectory.place(call.segment("factual_id")) else { throw AppNetFailure.notFound }
            return .data(place.rendered())
        },
        AppNetRoute(.get, path: "places/search", access: .user) { call in
            let found = PlaceDirectory.search(try PlaceQuestion(call.parameters))
            return .data(.array(found.map { $0.place.rendered(distance: $0.distance) }))
        },
    ]
}

extension PlaceQuestion {
    /// Reads a search's parameters.
    ///
    /// - Throws: ``AppNetFailure`` with 400 for what is missing or out of its range.
    init(_ query: AppNetParameters) throws(AppNetFailure) {
        func number(_ name: String, _ range: ClosedRange<Double>) throws(AppNetFailure) -> Double? {
            guard let value = try query.number(name) else { return nil }
            guard range ~= value else {
                throw .badRequest("\(name) must be between \(range.lowerBound) and \(range.upperBound).")
            }
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
        guard 1...100 ~= count else { throw .badRequest("count must be between 1 and 100.") }
        self.count = count
    }
}
