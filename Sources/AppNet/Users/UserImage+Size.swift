public import Foundation

extension UserImage {
    /// The image in another size (§3.4): the ratio is kept when one length is given. Moving images stay as they are.
    ///
    /// - Parameters:
    ///   - width: The width in pixels.
    ///   - height: The height in pixels.
    /// - Returns: The address; `nil` if the image has none that is a URL.
    public func url(width: Int? = nil, height: Int? = nil) -> URL? {
        guard let url = url?.url, var parts = URLComponents(url: url, resolvingAgainstBaseURL: false) else {
            return nil
        }
        let size = [("w", width), ("h", height)].compactMap { name, length in
            length.map { URLQueryItem(name: name, value: String($0)) }
        }
        guard !size.isEmpty else { return url }
        parts.queryItems = (parts.queryItems ?? []).filter { $0.name != "w" && $0.name != "h" } + size
        return parts.url
    }
}
