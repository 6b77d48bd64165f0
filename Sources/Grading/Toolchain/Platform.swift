/// What differs between the platforms that the grader runs on, besides the sandbox.
enum Platform {
    #if os(macOS)
    static let libraryFolder = "macosx"
    static let sharedLibrarySuffix = "dylib"
    #else
    static let libraryFolder = "linux"
    static let sharedLibrarySuffix = "so"
    #endif

    #if arch(arm64)
    static let architecture = "aarch64"
    #else
    static let architecture = "x86_64"
    #endif
}
