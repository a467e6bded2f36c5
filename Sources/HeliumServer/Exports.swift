@_exported public import AppNetServer
@_exported public import ConAirServer
@_exported public import CosmServer
@_exported public import HeliumServerKit
@_exported public import JetstreamHosting
@_exported public import MiddlewareServer
