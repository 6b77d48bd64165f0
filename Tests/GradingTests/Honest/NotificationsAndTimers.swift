// Notifications, timers, run loops, dates, identifiers, decimals, JSON, errors, formatters of Foundation.
import Foundation
extension Notification.Name { static let changed = Notification.Name("changed") }
struct Payload: Codable, Equatable { var id = UUID(); var date = Date(timeIntervalSince1970: 3); var list = [1, 2] }
enum Trouble: LocalizedError { case some; var errorDescription: String? { "some" } }
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) {
        let token = NotificationCenter.default.addObserver(forName: .changed, object: nil, queue: nil) { note in _ = note.userInfo }
        NotificationCenter.default.post(name: .changed, object: nil, userInfo: ["n": number])
        NotificationCenter.default.removeObserver(token)
        let timer = Timer(timeInterval: 0.01, repeats: true) { $0.invalidate() }
        RunLoop.main.add(timer, forMode: .common)
        timer.invalidate()
        let payload = Payload()
        let data = try? JSONEncoder().encode(payload)
        let back = data.flatMap { try? JSONDecoder().decode(Payload.self, from: $0) }
        if back == payload, Date().timeIntervalSince(payload.date) > 0, Decimal(3) > 2 { total += number }
        if Date.now < Date.distantPast { print(Trouble.some.localizedDescription, (Trouble.some as NSError).code) }
    }
    public func reset() async -> Int {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        await withCheckedContinuation { done in queue.addOperation { done.resume() } }
        print("a,b".components(separatedBy: ","), " x ".trimmingCharacters(in: .whitespaces), String(format: "%.2f", 2.5))
        print(ProcessInfo.processInfo.systemUptime > 0, Thread.isMainThread, DateFormatter().string(from: Date()) , UUID().uuidString.count)
        defer { total = 0 }
        return total
    }
}
/*FIRST*/
