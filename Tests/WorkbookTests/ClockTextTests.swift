import Testing
import Workbook

@Suite("ClockText")
struct ClockTextTests {
    @Test("Elapsed time is rounded down to seconds, remaining time is rounded up")
    func rounding() {
        let seconds = [0, 0.2, 59.9, 59.9999, 60, 3600, 3725.5]
        #expect(
            seconds.map(ClockText.elapsed) == ["0:00", "0:00", "0:59", "1:00", "1:00", "1:00:00", "1:02:05"])
        #expect(seconds.map(ClockText.left) == ["0:00", "0:01", "1:00", "1:00", "1:00", "1:00:00", "1:02:06"])
    }

    @Test("A time that is not valid is shown as zero")
    func nonsense() {
        #expect([-1, .nan, .infinity].map(ClockText.elapsed) == ["0:00", "0:00", "0:00"])
    }
}
