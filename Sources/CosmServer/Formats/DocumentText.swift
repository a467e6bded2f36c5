internal import HeliumJSON

/// Writes documents and errors as response bodies.
struct DocumentText {
    let context: RenderContext

    /// - Throws: ``CosmFailure`` with 406 for documents that the format does not support.
    func bytes(of document: CosmDocument, _ format: DocumentFormat) throws(CosmFailure) -> [UInt8] {
        switch format {
        case .json: return Array(JSONOutput(context: context).value(of: document).data())
        case .xml: return Array(XMLOutput(context: context).text(of: document).utf8)
        case .csv: return Array(try CSVOutput(zone: context.zone).text(of: document).utf8)
        case .png: throw .notAcceptable
        }
    }

    /// Returns the body of an error. One message is a string, several are an array (Docs/Protocols/Cosm.md §2.4). CSV
    /// requests get JSON.
    static func bytes(of failure: CosmFailure, _ format: DocumentFormat) -> (bytes: [UInt8], format: DocumentFormat) {
        if format == .xml { return (Array(XMLOutput.text(of: failure).utf8), .xml) }
        let errors: JSONValue =
            failure.errors.count == 1
            ? .string(failure.errors[0]) : .array(failure.errors.map { .string($0) })
        let document: JSONValue = ["title": .string(failure.title), "errors": errors]
        return (Array(document.data()), .json)
    }
}
