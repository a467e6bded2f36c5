// `Data`, `URL`, `Date` and their like, and the C library, without the rest of Foundation: on Linux that rest brings ICU and
// its tables, ten megabytes of memory that the client has no use for. This is the one place that knows where they come from.
#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif

#if canImport(Glibc)
    @_exported public import Glibc
#elseif canImport(Darwin)
    @_exported public import Darwin
#endif
