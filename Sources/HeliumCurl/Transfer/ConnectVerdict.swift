import CLibcurl
import HeliumCore
import HeliumEssentials

/// The meaning of libcurl's codes for a connection that could not be made.
enum ConnectVerdict {
    /// Returns the kind and the message of a failure, or `nil` if the code says something else.
    ///
    /// - Parameters:
    ///   - systemError: The last error of a system call; 0 for none.
    ///   - detail: libcurl's own description of the failure.
    static func of(_ code: CURLcode, systemError: Int32, detail: String?) -> (FailureKind, String)? {
        let reason = String(cString: curl_easy_strerror(code))
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            return (.hostNotFound, "the host's name has no address")
        case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED:
            let cause = systemError == 0 ? reason : String(cString: strerror(systemError))
            return (.connectionFailed, "could not connect: \(cause)")
        case CURLE_SSL_CONNECT_ERROR where systemError == ECONNRESET || systemError == EPIPE:
            return (.connectionFailed, "the connection was reset in the TLS handshake")
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CRL_BADFILE,
            CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_USE_SSL_FAILED,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            return (.tlsFailed, "TLS failed: \(detail ?? reason)")
        default:
            return nil
        }
    }
}
