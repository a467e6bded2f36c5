internal import HTTPTypes
internal import HeliumJSON

extension AppNetRoutes {
    /// Filters of app streams (§2.11).
    static let filterRoutes: [AppNetRoute] = [
        AppNetRoute(.post, path: "filters", access: .user) { try $0.createFilter() },
        AppNetRoute(.get, path: "filters", access: .user) { call in
            let renderer = call.renderer
            return .data(.array(try call.filters.filters(of: call.me()).map(renderer.filter)))
        },
        AppNetRoute(.delete, path: "filters", access: .user) { try $0.deleteFilters() },
        AppNetRoute(.get, path: "filters/{id}", access: .user) { .data(try $0.renderer.filter($0.filter())) },
        AppNetRoute(.put, path: "filters/{id}", access: .user) { try $0.replaceFilter() },
        AppNetRoute(.delete, path: "filters/{id}", access: .user) { call in
            let filter = try call.filter()
            try call.filters.delete(filter.id)
            return .data(try call.renderer.filter(filter))
        },
    ]
}

extension AppNetCall {
    fileprivate var filters: FilterTable { FilterTable(database: database) }

    /// The caller's filter that the path names.
    fileprivate func filter() throws -> FilterRecord {
        guard let filter = try filters.filter(id("id")), filter.owner == (try me()) else {
            throw AppNetFailure.notFound
        }
        return filter
    }

    fileprivate func createFilter() throws -> AppNetAnswer {
        let me = try me()
        guard try filters.filters(of: me).count < FilterTable.maximumOfOwner else {
            throw AppNetFailure.full("filters")
        }
        let filter = try filters.insert(FilterRecord(id: 0, owner: me, body()))
        return .data(try renderer.filter(filter))
    }

    fileprivate func replaceFilter() throws -> AppNetAnswer {
        let old = try filter()
        let filter = try FilterRecord(id: old.id, owner: old.owner, body())
        try filters.update(filter)
        return .data(try renderer.filter(filter))
    }

    fileprivate func deleteFilters() throws -> AppNetAnswer {
        let all = try filters.filters(of: me())
        for filter in all { try filters.delete(filter.id) }
        let renderer = renderer
        return .data(.array(try all.map(renderer.filter)))
    }
}
