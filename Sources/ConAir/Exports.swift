@_exported public import HeliumKit
