/// What the engine asks of the harness: one run of a suite.
public struct RunRequest: Codable, Sendable {
    /// What the digests of the record are made with. It is in no line of the record.
    public var key: EventSeal.Key
    /// Written into standard output between tests, so that what was printed can be told apart.
    public var marker: String
    public var seed: String
    /// Whether waits are given up as if one had been in vain already.
    public var expectsHangs: Bool
    public var support: String
    public var image: String
    public var testing: [String]
    public var xctest: [String]
    /// Tests that have to fail: one before, one between and one after the others, by framework.
    public var testingControls: [String]
    public var xctestControls: [String]
    /// Which expectation is turned round in a test, from 1.
    public var turned: [String: Int]
    /// Whether the tests are run to see whether accesses meet, and for nothing else.
    public var watchesRaces: Bool
    /// The one order that is run where tests explore orders; all of them without it.
    public var schedule: String?
    public var memoryMegabytes: Int
    public var processorSeconds: Int
    public var fileMegabytes: Int
    public var openFiles: Int
    public var threads: Int

    public init(
        key: EventSeal.Key, marker: String, seed: String, expectsHangs: Bool, support: String, image: String,
        testing: [String], xctest: [String], testingControls: [String], xctestControls: [String],
        turned: [String: Int], watchesRaces: Bool = false, schedule: String? = nil, memoryMegabytes: Int,
        processorSeconds: Int, fileMegabytes: Int, openFiles: Int, threads: Int
    ) {
        self.key = key
        self.marker = marker
        self.seed = seed
        self.expectsHangs = expectsHangs
        self.support = support
        self.image = image
        self.testing = testing
        self.xctest = xctest
        self.testingControls = testingControls
        self.xctestControls = xctestControls
        self.turned = turned
        self.watchesRaces = watchesRaces
        self.schedule = schedule
        self.memoryMegabytes = memoryMegabytes
        self.processorSeconds = processorSeconds
        self.fileMegabytes = fileMegabytes
        self.openFiles = openFiles
        self.threads = threads
    }
}
