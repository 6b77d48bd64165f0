import Foundation

/// Prints what a value costs in each chain. Build it with `-c release`: a debug build measures the debug build.
@main
enum CombineBenchmark {
    @MainActor static func main() {
        print("nanoseconds a value".padded(to: 34) + "  here" + "  reference" + "  ratio")
        var ratios: [Double] = []
        for chain in chains {
            let time = chain.nanoseconds(runs: 9)
            var line = chain.name.padded(to: 34) + String(format: "%6.0f", time)
            if let reference = chain.reference {
                ratios.append(time / reference)
                line += String(format: "%11.0f%7.2f", reference, time / reference)
            } else {
                line += "          –"
            }
            print(line)
        }
        let mean = exp(ratios.map { log($0) }.reduce(0, +) / Double(ratios.count))
        print("geometric mean of the ratios".padded(to: 51) + String(format: "%7.2f", mean))
    }
}

extension String {
    fileprivate func padded(to length: Int) -> String {
        padding(toLength: length, withPad: " ", startingAt: 0)
    }
}
