/// What one grading may use. Beyond a limit the process is stopped, and the verdict says which limit it was.
public struct Limits: Sendable, Equatable, Codable {
    /// Wall time of one whole suite, reruns included.
    public var suiteSeconds: Double = 10
    /// Wall time without a word from a test before it counts as hanging.
    public var testSeconds: Double = 4
    /// Processor time of one run, over all its threads.
    public var processorSeconds: Int = 20
    /// Address space of one run.
    public var memoryMegabytes: Int = 4096
    /// The largest file a run may write.
    public var fileMegabytes: Int = 8
    /// The scratch folder of one run.
    public var scratchMegabytes: Int = 16
    public var openFiles: Int = 128
    /// Threads of one run.
    public var threads: Int = 256
    /// How much of a test's printed output is kept.
    public var outputBytes: Int = 16 * 1024
    /// The largest file that is read at all.
    public var sourceBytes: Int = 1 << 20
    /// Wall time of the compiler on one submission.
    public var compileSeconds: Double = 20
    /// Address space of the compiler on one submission.
    public var compileMegabytes: Int = 4096

    public init() {}
}
