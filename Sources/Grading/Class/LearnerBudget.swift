/// How long the grading of one learner's submission may take, so that no learner takes the time of a whole class.
public struct LearnerBudget: Sendable, Equatable {
    /// How many times as long as half of the class's katas take.
    public var times = 10.0
    /// What each learner has: an honest answer may hang in every test, and is then graded twice.
    public var leastSeconds = 60.0
    /// And for each kata.
    public var leastSecondsOfKata = 30.0

    public init() {}

    /// - Parameters:
    ///   - katas: how many katas the learner has handed in.
    ///   - median: of the seconds that each kata of the class took so far; `nil` where there is none.
    func seconds(katas: Int, median: Double?) -> Double {
        max(leastSeconds + leastSecondsOfKata * Double(katas), times * (median ?? 0) * Double(katas))
    }
}

/// Numbers, of which the median is asked for again and again.
struct SortedNumbers {
    private var numbers: [Double] = []

    mutating func add(_ number: Double) {
        var (low, high) = (0, numbers.count)
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle] < number { low = middle + 1 } else { high = middle }
        }
        numbers.insert(number, at: low)
    }

    /// Of an even count the lower one of the two in the middle.
    var median: Double? { numbers.isEmpty ? nil : numbers[(numbers.count - 1) / 2] }
}
