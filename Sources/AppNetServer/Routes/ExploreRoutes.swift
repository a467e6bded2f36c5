internal import HTTPTypes
internal import HeliumJSON

extension AppNetRoutes {
    /// Explore streams (§2.10).
    static let exploreRoutes: [AppNetRoute] = [
        AppNetRoute(.get, path: "posts/stream/explore", access: .none) { call in
            .data(.array(ExploreStream.allCases.map { $0.json(root: call.request.root) }))
        },
        AppNetRoute(.get, path: "posts/stream/explore/{slug}", access: .none, isPaginated: true) { call in
            guard let stream = ExploreStream(rawValue: call.segment("slug")) else { throw AppNetFailure.notFound }
            var answer = try call.postPage(
                where: stream.condition,
                marker: stream.marker,
                includes: stream.includes
            )
            answer.meta["explore_stream"] = stream.json(root: call.request.root)
            return answer
        },
    ]
}
