package import HeliumJSON

/// What an object of the service is: pnut.io has other members for each kind (§6.3).
package enum ObjectKind: String, CaseIterable, Sendable {
    case message, channel, user, file, post, token, place, configuration, streamMarker, annotation, interaction
    case exploreStream, filter, appStream, event, entities, acl, image, text, presence, poll, badge, client
    /// Numbers, ids, and whatever is the same everywhere.
    case none
}

/// What a call answers with.
package protocol AppNetObject: Codable, JSONReadable, Sendable {
    static var objectKind: ObjectKind { get }
}

extension Array: AppNetObject where Element: AppNetObject {
    package static var objectKind: ObjectKind { Element.objectKind }
}

extension Dictionary: AppNetObject where Key == String, Value: AppNetObject {
    package static var objectKind: ObjectKind { Value.objectKind }
}

extension Int: AppNetObject { package static var objectKind: ObjectKind { .none } }
extension String: AppNetObject { package static var objectKind: ObjectKind { .none } }
extension AppNetID: AppNetObject { package static var objectKind: ObjectKind { .none } }
extension JSONValue: AppNetObject { package static var objectKind: ObjectKind { .none } }
