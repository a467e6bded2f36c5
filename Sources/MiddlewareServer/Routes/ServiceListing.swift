internal import HTTPTypes
internal import HeliumJSON
internal import HeliumServerKit

/// The list of all routes, which `GET {prefix}/services` returns (end of Docs/Protocols/Middleware.md §5).
enum ServiceListing {
    static func document(of routes: [MiddlewareRoute], base: String) -> JSONValue {
        .array(
            routes.map { route in
                [
                    "id": .string(route.id),
                    "method": .string(route.kind.method.rawValue),
                    "url": .string(base + route.path),
                    "modified": .string("2016-02-12"),
                    "authorization": .bool(route.isSigned),
                    "parameters": .object(ParameterSection.allCases.map { parameters(of: route, in: $0) }),
                    "responses": .object(
                        responses(of: route).sorted { $0.key < $1.key }.map { status, codes in
                            (String(status), .array(codes.map(JSONValue.string)))
                        }
                    ),
                ]
            }
        )
    }

    private static func parameters(of route: MiddlewareRoute, in section: ParameterSection) -> JSONObject.Element {
        let rules = route.allRules.filter { $0.section == section && $0.kind != .object }
        return (
            section.rawValue,
            .object(
                rules.map { rule in
                    var members: JSONObject = [
                        "type": .string("\(rule.kind)"), "required": .bool(rule.isRequired),
                    ]
                    members["minLength"] = rule.minimumLength.map { .count($0) }
                    members["maxLength"] = rule.maximumLength.map { .count($0) }
                    members["allow"] = rule.allowed.map { .array($0.map(JSONValue.string)) }
                    return (rule.id, .object(members))
                }
            )
        )
    }

    private static func responses(of route: MiddlewareRoute) -> [Int: [String]] {
        var codes = route.codes
        if route.isSigned {
            codes[401, default: []] += ["KeyInvalid", "KeyExpired", "DeviceIdInvalid"]
            codes[403, default: []] += ["KeyInvalidForGroup", "TemporaryDisabled", "IPNotAllowed"]
        }
        return codes
    }
}
