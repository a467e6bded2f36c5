import CLibcurl

/// The process-wide initialization of libcurl. It happens once, before the first handle is created. It is never undone,
/// because other code may use libcurl too.
enum Library {
    private static let result = helium_curl_global_init()

    /// Whether libcurl is initialized. The first access initializes it.
    static var isReady: Bool { result == CURLE_OK }

    /// The version of libcurl at run time: a byte each for the major, minor and patch version.
    static let version = helium_curl_version()
}
