#if !Server && !MessageBeast
    #error("ConAirSQLite needs the package trait MessageBeast or Server: .package(…, traits: [\"MessageBeast\"])")
#endif
