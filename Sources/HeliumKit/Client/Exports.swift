// `import HeliumKit` alone provides the whole client: its values and errors, the transport's configuration, field
// names, and the key that encrypts a token store.
@_exported public import HTTPTypes
@_exported public import HeliumCore
@_exported public import HeliumCurl

@_exported public import struct HeliumCrypto.EncryptionKey
