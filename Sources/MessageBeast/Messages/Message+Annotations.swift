public import AppNet
public import Foundation
internal import HeliumJSON

extension Message {
    /// Returns the first annotation of a type.
    public func firstAnnotation(ofType type: String) -> Annotation? {
        annotations?.first { $0.type.hasSameBytes(as: type) }
    }

    /// The date of the annotation `net.app.ohai.displaydate`, with or without fractional seconds; `nil` if there is
    /// none.
    public var ohaiDisplayDate: Date? {
        guard var text = firstAnnotation(ofType: MessageBeastNames.displayDate)?.value?["date"]?.stringValue else {
            return nil
        }
        return text.withUTF8 { RFC3339.instant(in: $0, assumingUTC: true)?.date }
    }

    /// The message that this action message acts on; `nil` if it is not an action message.
    public var targetMessageID: Message.ID? {
        let id = firstAnnotation(ofType: MessageBeastNames.targetMessage)?.value?["id"]
        return (id?.stringValue ?? id?.intValue.map(String.init)).map { Message.ID($0) }
    }

    /// Adds an annotation with a date to show instead of the creation date: UTC, with milliseconds. Replaces an earlier
    /// one, because only the first counts.
    public mutating func addDisplayDate(_ date: Date) {
        replace(MessageBeastNames.displayDate, ["date": .string(RFC3339.string(from: date))])
    }

    /// Adds the annotation of an action message. Replaces an earlier one.
    public mutating func addTargetMessage(_ id: Message.ID) {
        replace(MessageBeastNames.targetMessage, ["id": .string(id.text)])
    }

    /// Adds a check-in at a place of the service.
    public mutating func addCheckin(factualID: Place.ID) {
        append(.checkin(at: factualID))
    }

    /// Adds coordinates.
    public mutating func addGeolocation(latitude: Double, longitude: Double) {
        guard let latitude = JSONNumber(latitude), let longitude = JSONNumber(longitude) else { return }
        append(MessageBeastNames.geolocation, ["latitude": .number(latitude), "longitude": .number(longitude)])
    }

    /// Adds a place that the app describes.
    ///
    /// - Throws: `EncodingError` for coordinates that JSON cannot represent.
    public mutating func addLocation(_ place: CustomPlace) throws {
        append(try Annotation(OhaiLocation(id: place.id, place: place.place)))
    }

    /// Adds a file to the list of attachments that the service has not expanded yet, or starts such a list.
    public mutating func appendAttachment(_ file: FileReference) {
        let added = Annotation.attachments([file])
        let index = annotations?.firstIndex { annotation in
            annotation.type.hasSameBytes(as: MessageBeastNames.attachments)
                && annotation.value?[MessageBeastNames.fileListReplacement]?.arrayValue != nil
        }
        guard let index, let entries = added.value?[MessageBeastNames.fileListReplacement]?.arrayValue else {
            append(added)
            return
        }
        let list = annotations?[index].value?[MessageBeastNames.fileListReplacement]?.arrayValue ?? []
        annotations?[index].value?[MessageBeastNames.fileListReplacement] = .array(list + entries)
    }

    private mutating func replace(_ type: String, _ value: JSONObject) {
        annotations?.removeAll { $0.type.hasSameBytes(as: type) }
        append(type, value)
    }

    private mutating func append(_ type: String, _ value: JSONObject) {
        append(Annotation(type: type, value: .object(value)))
    }

    private mutating func append(_ annotation: Annotation) { annotations = (annotations ?? []) + [annotation] }
}
