package import Foundation
internal import HTTPTypes
package import HeliumCore
internal import HeliumServer

extension ServerRequest {
    /// Creates the request that a server receives over HTTP/1.1.
    ///
    /// - Parameters:
    ///   - bodyBytes: The length of the body; `nil` without a body.
    ///   - scheme: The scheme of the server.
    init(_ request: TransportRequest, bodyBytes: Int?, _ scheme: String) {
        var fields = request.fields
        fields[.acceptEncoding] = "identity"
        fields[.contentLength] = nil
        fields[.transferEncoding] = nil
        if request.upload != nil, request.upload?.length == nil {
            fields[.transferEncoding] = "chunked"
        } else if let bodyBytes {
            fields[.contentLength] = String(bodyBytes)
        }
        self.init(
            method: request.method,
            target: request.url.target,
            host: request.url.origin.hostHeader,
            socketScheme: scheme,
            fields: fields,
            address: "127.0.0.1"
        )
    }
}

extension TransportRequest {
    /// Reads the body to its end and returns its bytes; `nil` if the request sends neither a body nor a length.
    ///
    /// - Throws: ``TransportFailure`` of kind `requestBodyFailed` if the body cannot be read, or if its length is not
    ///   the length that it announces; of kind `cancelled` if the task is cancelled. In both cases nothing was sent.
    package func collectedBody() async throws(TransportFailure) -> Data? {
        guard let upload else { return sentBody }
        do {
            let bytes = try await upload.collected()
            guard upload.length.map({ $0 == Int64(bytes.count) }) ?? true else {
                throw UploadFailure("the request's body does not have the announced length")
            }
            return bytes
        } catch is CancellationError {
            throw TransportFailure(.cancelled, delivery: .notSent, message: "the call was cancelled")
        } catch {
            let message = (error as? UploadFailure)?.description ?? "the source of the request's body failed"
            throw TransportFailure(.requestBodyFailed, delivery: .notSent, message: message, underlying: error)
        }
    }
}

extension UploadBody {
    fileprivate func collected() async throws -> Data {
        let source = try await open()
        defer { source.cancel() }
        var bytes = Data()
        while let chunk = try await source.next() { bytes.append(chunk) }
        return bytes
    }
}
