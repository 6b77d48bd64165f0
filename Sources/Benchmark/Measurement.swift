import Foundation

func seconds(_ body: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try body()
    return start.duration(to: .now) / .seconds(1)
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

func milliseconds(_ seconds: Double) -> String { "\(Int((seconds * 1000).rounded())) ms" }

/// Two digits behind the point.
func rounded(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }

/// What was measured is seen at once, also in a pipe.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

/// A figure that the workbook promises.
func promise(_ what: String, _ value: Double, atMost most: Double) {
    say("= \(what): \(rounded(value)) (promised: at most \(rounded(most)))\(value <= most ? "" : ": NOT KEPT")")
}

func promise(_ what: String, _ value: Double, atLeast least: Double) {
    say("= \(what): \(rounded(value)) (promised: at least \(rounded(least)))\(value >= least ? "" : ": NOT KEPT")")
}
