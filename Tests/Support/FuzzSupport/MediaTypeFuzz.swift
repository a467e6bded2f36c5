import Foundation
import HeliumCore

/// Media types: any bytes; what is read has only characters that a token may have.
public func fuzzMediaTypes(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let type = MediaType(text) else { return }
    precondition(!type.type.isEmpty && !type.subtype.isEmpty)
    precondition(MediaType(type.essence)?.essence == type.essence)
    precondition(type.essence.utf8.allSatisfy { 0x21...0x7E ~= $0 })
}

/// Bodies of failures: any bytes, as a page and as a text.
public func fuzzErrorBodies(_ bytes: [UInt8]) {
    for contentType in ["text/html; charset=iso-8859-1", "application/problem+json", "text/plain", nil] {
        let body = ErrorBody(status: 500, contentType: contentType, body: Data(bytes))
        if case .text(let text) = body { precondition(text.count <= ErrorBody.maximumTextLength) }
        _ = body.description
    }
}
