internal import HeliumJSON
internal import HeliumServerKit

/// The call that sets stream markers (Docs/Protocols/AppNet.md §2.3).
struct MarkerHandlers: RequestScoped {
    /// The maximum number of markers in a call.
    private static let maximumOfCall = 200

    let context: AppNetContext

    /// Handles `POST posts/marker`. The body is one object or a list of objects.
    func update() throws -> AppNetResponse {
        let document = try context.request.body.document()
        guard case .array(let list) = document else { return .data(try update(document)) }
        try require(list.count <= Self.maximumOfCall, "At most \(Self.maximumOfCall) markers can be set at a time.")
        return .data(.array(try list.map { try update($0) }))
    }

    private func update(_ body: JSONValue) throws -> JSONValue {
        guard let name = body["name"]?.stringValue, MarkerName.isValid(name) else {
            throw AppNetFailure.badRequest("name is not the name of a marker.")
        }
        if name.hasPrefix("channel:") {
            guard let id = MarkerName.channel(name), let channel = try tables.channels.channel(id),
                try reader.sees(channel)
            else { throw AppNetFailure.notFound }
        }
        guard let item = body["id"]?.lenientText.flatMap({ Int64($0) }), 0...(1 << 53) ~= item else {
            throw AppNetFailure.badRequest("id is not a valid id.")
        }
        var percentage = 0
        if let sent = body["percentage"], sent != .null {
            let number = sent.integerValue ?? sent.stringValue.flatMap { Int64($0) }
            guard let number, 0...100 ~= number else {
                throw AppNetFailure.badRequest("percentage must be a whole number of 0 to 100.")
            }
            percentage = Int(number)
        }
        let resets = context.parameters.flag("reset_read_id") ?? false
        return try MarkerWriter(context).set(name, item: item, percentage: percentage, resets: resets).json
    }
}
