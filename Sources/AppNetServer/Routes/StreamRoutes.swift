internal import HTTPTypes
internal import HeliumJSON

extension AppNetRoutes {
    /// App streams and user streams (§2.13, §2.14).
    static let streamRoutes: [AppNetRoute] = [
        AppNetRoute(.post, path: "streams", access: .app) { try $0.createAppStream() },
        AppNetRoute(.get, path: "streams", access: .app) { call in
            let renderer = call.renderer
            return .data(.array(try call.myAppStreams().map(renderer.appStream)))
        },
        AppNetRoute(.delete, path: "streams", access: .app) { try $0.deleteAppStreams() },
        AppNetRoute(.get, path: "streams/{id}", access: .app) { .data(try $0.renderer.appStream($0.appStream())) },
        AppNetRoute(.put, path: "streams/{id}", access: .app) { try $0.updateAppStream() },
        AppNetRoute(.delete, path: "streams/{id}", access: .app) { .data(try $0.delete($0.appStream())) },
        AppNetRoute(.get, path: "app/{id}", area: .live, access: .app) { try $0.consumeAppStream() },
        AppNetRoute(.get, path: "user", area: .live, access: .user) { try $0.openUserStream() },
        AppNetRoute(.delete, path: "users/me/streams/{connection}", access: .user) { call in
            let (id, token) = (call.segment("connection"), try call.tokenRow())
            guard call.state.events.userStreams.delete(id, token: token) else { throw AppNetFailure.notFound }
            return .noContent
        },
        AppNetRoute(.delete, path: "users/me/streams/{connection}/{subscription}", access: .user) { call in
            let isKnown = call.state.events.userStreams.delete(
                subscription: call.segment("subscription"),
                of: call.segment("connection"),
                token: try call.tokenRow()
            )
            guard isKnown else { throw AppNetFailure.notFound }
            return .noContent
        },
    ]
}
