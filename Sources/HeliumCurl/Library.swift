import CLibcurl

/// libcurl's process-wide set-up, done once before the first handle is made; never undone, as other code may use it too.
enum Library {
    private static let result = helium_curl_global_init()

    /// Whether libcurl is ready; the first call makes it so.
    static var isReady: Bool { result == CURLE_OK }
}
