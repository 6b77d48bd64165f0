import Workbook

/// What became of one test.
struct TestResult: Equatable {
    var outcome: TestVerdict.Outcome
    var messages: [LocalizableMessage] = []
    var marbles: Marbles?
    /// What the suite said of the order of steps; `race` and `schedule` are made of it once its lines are known.
    var found: FoundSchedule?
    var race: DataRace?
    var schedule: Schedule?
    /// Which kind of mistake the finding names.
    var kind: String?
    /// What exactly differs.
    var differences: [String]?
    var output: [UInt8] = []
    var outputCut = 0
    /// How many expectations it has looked at.
    var expectations = 0
    /// How many orders of steps it has tried.
    var orders = 0
    /// It did not come to its end or left code behind that runs without end; or it was not run, since others did so.
    var isHang = false
}
