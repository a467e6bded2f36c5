internal import AppNet
internal import HeliumJSON

extension Message {
    /// Appends the annotations that refer to files, in order. Attachments share one list.
    mutating func append(_ files: [AttachedFile]) {
        for file in files {
            if file.isOEmbed {
                annotations = (annotations ?? []) + [.oembed(file.reference)]
            } else {
                appendAttachment(file.reference)
            }
        }
    }

    /// The files of the service that the annotations show, without duplicates: those of embedded content first.
    var fileIDs: [File.ID] {
        let annotations = annotations ?? []
        var ids: [String] = annotations.ofType(MessageBeastNames.oembed).compactMap { Self.fileID($0.value) }
        for attachments in annotations.ofType(MessageBeastNames.attachments) {
            ids += (attachments.value?[MessageBeastNames.fileList]?.arrayValue ?? []).compactMap { Self.fileID($0) }
        }
        var seen: Set<File.ID> = []
        return ids.map { File.ID($0) }.filter { seen.insert($0).inserted }
    }

    private static func fileID(_ value: JSONValue?) -> String? {
        let id = value?["file_id"]
        // An id that is not a number would change the path of a request.
        return (id?.stringValue ?? id?.intValue.map(String.init)).flatMap { File.ID($0).number == nil ? nil : $0 }
    }
}
