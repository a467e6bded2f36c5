internal import HeliumJSON
internal import HeliumServerKit

/// Replaces a dialect's template for an id, such as `{post_id}`, in the URLs of an oembed after the object was saved
/// (Docs/Protocols/AppNet.md §3.6).
enum AnnotationTemplates {
    private static let members = ["url", "poster_url", "thumbnail_url", "embeddable_url"]

    static func replaced(_ annotation: JSONValue, _ name: String, _ id: Int64) -> JSONValue {
        guard annotation["type"] == "net.app.core.oembed", annotation["process_template"] == nil,
            var value = annotation["value"], value["process_template"]?.lenientFlag ?? true
        else { return annotation }
        func replace(_ member: String, in object: inout JSONValue) {
            guard let text = object[member]?.stringValue else { return }
            object[member] = .string(text.replacing("{\(name)}", with: String(id)))
        }
        for member in members { replace(member, in: &value) }
        if let sources = value["sources"]?.arrayValue {
            let replaced = sources.map { source in
                var source = source
                replace("url", in: &source)
                return source
            }
            value["sources"] = .array(replaced)
        }
        var annotation = annotation
        annotation["value"] = value
        return annotation
    }
}
