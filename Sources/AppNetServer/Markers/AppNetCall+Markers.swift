internal import HeliumJSON
internal import HeliumServerKit

extension AppNetCall {
    /// The most markers of one user, and of one call.
    private static let maximumMarkers = 10_000
    private static let maximumOfCall = 200

    /// `POST posts/marker`: one object, or a list of them.
    func updateMarkers() throws -> AppNetAnswer {
        let document = try request.body.document()
        guard case .array(let list) = document else { return .data(try updateMarker(document)) }
        guard list.count <= Self.maximumOfCall else {
            throw AppNetFailure.badRequest("At most \(Self.maximumOfCall) markers can be set at a time.")
        }
        return .data(.array(try list.map(updateMarker)))
    }

    private func updateMarker(_ body: JSONValue) throws -> JSONValue {
        guard let name = body["name"]?.stringValue, MarkerName.isValid(name) else {
            throw AppNetFailure.badRequest("name is not the name of a marker.")
        }
        if name.hasPrefix("channel:") {
            guard let id = MarkerName.channel(name), let channel = try channels.channel(id), try access.sees(channel)
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
        let resets = parameters.flag("reset_read_id") ?? false
        return try setMarker(name, item: item, percentage: percentage, resets: resets).json
    }

    /// Sets a marker of the caller; what was read stays read unless it is reset.
    @discardableResult
    func setMarker(_ name: String, item: Int64, percentage: Int, resets: Bool) throws -> StreamMarker {
        let me = try me()
        let old = try markers.marker(name, of: me)
        guard try old != nil || markers.count(of: me) < Self.maximumMarkers else {
            throw AppNetFailure.full("markers")
        }
        let marker = StreamMarker(
            user: me,
            name: name,
            item: item,
            lastRead: resets ? item : max(old?.lastRead ?? 0, item),
            percentage: percentage,
            updated: now,
            version: String(try settings.next("marker version"), radix: 36)
        )
        try markers.save(marker)
        effects.append(
            AppNetEvent(kind: .streamMarker, object: 0, channel: MarkerName.channel(name), actor: me, marker: name)
        )
        return marker
    }
}
