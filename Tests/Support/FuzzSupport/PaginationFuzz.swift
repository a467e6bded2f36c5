import HeliumCore

/// Feeds what reads a server's links: each function takes any bytes, must not trap, and throws what it finds.
package enum PaginationFuzz {
    /// Pieces of `Link` fields.
    package static let linkPieces = [
        "<", ">", ";", ",", "=", "\"", "\\", "rel", "rel=next", "rel=\"next last\"", "<https://a.example/?page=2>", " ",
        "; rel=\"next\"", "anchor", "title*=UTF-8''x", "\t",
    ]

    /// Pieces of URL references.
    package static let referencePieces = [
        "https://", "http:", "//", "/", "..", ".", "?", "#", "a", "b:c", "%2F", "%zz", "api.example.com", ":80", "@",
        "é",
        " ", "[::1]",
    ]

    /// Every link has a reference that its text contains, and reading the text twice gives the same.
    package static func linkHeader(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        let header = LinkHeader(text)
        guard header.links == LinkHeader(text).links else { throw FuzzFinding("\(bytes) is read differently twice") }
        for link in header.links where link.reference.utf8.contains(UInt8(ascii: ">")) {
            throw FuzzFinding("\(link) goes past its end")
        }
    }

    /// Checks that the target of a reference can be sent, and that it resolves to itself.
    package static func reference(_ bytes: [UInt8]) throws {
        guard let base = try? RequestURL("https://api.example.com/a/b?c=d") else { throw FuzzFinding("no base URL") }
        guard let url = try? base.resolving(String(decoding: bytes, as: UTF8.self)) else { return }
        guard url.target.hasPrefix("/"), url.target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x23 }) else {
            throw FuzzFinding("\(url.target) can't be sent")
        }
        guard try base.resolving(url.absoluteString) == url else { throw FuzzFinding("\(url) leads elsewhere") }
    }
}
