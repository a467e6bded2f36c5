@_exported public import ConAir
@_exported public import HeliumServerKit
