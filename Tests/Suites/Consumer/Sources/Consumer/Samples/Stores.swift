import Foundation
import HeliumKit

/// Samples of stores for registrations.
enum StoreSamples {
    static func stores(file: URL, keyBytes: [UInt8]) throws -> [any TokenStore] {
        // sample: stores
        let memory = MemoryTokenStore()  // the default: every run registers a new device
        let plain = FileTokenStore(at: file)  // mode 0600, replaced atomically, locked between processes
        let sealed = FileTokenStore(
            at: file.appendingPathExtension("sealed"),
            encryptionKey: try EncryptionKey(keyBytes),  // 32 bytes
            onFailure: .startAfresh  // in place of an error when the file can't be read or was altered
        )
        // end of sample
        return [memory, plain, sealed]
    }
}
