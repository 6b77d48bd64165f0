/// Something that the grader started, for those who count.
public struct TraceEvent: Sendable, Equatable {
    public enum Step: String, Sendable {
        /// The compiler was asked for the frontend's arguments (once a compiler).
        case askCompiler
        /// The modules of the toolchain's C headers were made again, since the compiler could not use them any more.
        case makeClangModules
        /// What submissions may import was copied (once a build of the support libraries).
        case copyModules
        /// The support libraries were linked for suites (once a build of them).
        case linkSupport
        /// The program that runs suites was compiled (once a compiler).
        case compileHarness
        /// The model answer was compiled for its interface (once a change of it).
        case compileAnswer
        /// A suite was compiled.
        case compileSuite
        /// A submission was compiled.
        case compileSubmission
        case link
        case run
        /// The suite was run on the model answer (once a suite).
        case runAnswer
        /// Some of the tests that passed were run again.
        case runControls
        /// Tests that passed were run again, to see whether accesses meet in them.
        case runForRaces
        /// The lines of places in a submission's image were looked up.
        case findLines
    }
    public var step: Step
    public var kata: String?

    public init(_ step: Step, kata: String? = nil) {
        self.step = step
        self.kata = kata
    }
}
