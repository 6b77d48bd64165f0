/// The two ways to grade, which come to the same verdicts.
public enum EngineName: String, CaseIterable, Sendable {
    /// Calls the compiler and the linker itself, in a sandbox. It exists on Linux only.
    case fast
    /// Calls SwiftPM. It trusts the submission.
    case portable

    /// The engine of this platform.
    public static var standard: EngineName {
        #if os(Linux)
        .fast
        #else
        .portable
        #endif
    }

    /// The engines that this platform has.
    public static var available: [EngineName] {
        #if os(Linux)
        allCases
        #else
        [.portable]
        #endif
    }
}
