// Formatting, parsing, dates, characters, wide numbers, sets, random numbers, comparisons of floating point.
import Foundation
import RegexBuilder
func work() -> String {
    let f = NumberFormatter(); f.numberStyle = .decimal; let d = DateFormatter(); d.dateFormat = "yyyy"; let i = ISO8601DateFormatter()
    var s = String(format: "%05d %.2f %@", 3, 1.5, "x") + (f.string(from: 1234) ?? "") + d.string(from: Date(timeIntervalSince1970: 0)) + i.string(from: .init())
    s += "a,b;c".components(separatedBy: CharacterSet(charactersIn: ",;")).joined() + " x ".trimmingCharacters(in: .whitespaces) + "abc".replacingOccurrences(of: "b", with: "d") + "é".folding(options: .diacriticInsensitive, locale: nil)
    s += 3.formatted() + 0.5.formatted(.percent) + Date().formatted(date: .abbreviated, time: .omitted) + ["a", "b"].formatted() + Duration.seconds(3).formatted()
    s += "\(UInt128.max)" + String(0xFF, radix: 16) + "\(Double.pi.rounded())" + "\(Int("12") ?? 0)" + UUID().uuidString + "\(AttributedString("a").characters.count)"
    let c = Calendar.current.dateComponents([.year], from: .now); s += "\(c.year ?? 0)" + TimeZone.current.identifier + Locale.current.identifier
    if let m = "k=v".firstMatch(of: #/(?<key>\w+)=(?<value>\w+)/#) { s += m.output.key }; if let u = URL(string: "https://a.b/c?d=e"), let q = URLComponents(url: u, resolvingAgainstBaseURL: false)?.queryItems { s += q.description + u.lastPathComponent }
    var g = SystemRandomNumberGenerator(); s += "\(Int.random(in: 0...3, using: &g))" + [1, 2, 3].shuffled().description + "\(Bool.random())" + Data([1, 2]).base64EncodedString() + Data("a".utf8).map { String($0, radix: 2) }.joined()
    var h = Hasher(); h.combine(s); s += "\(h.finalize())" + "\(ProcessInfo.processInfo.systemUptime)\(ProcessInfo.processInfo.activeProcessorCount)" + String(decoding: [65], as: UTF8.self) + (String(data: Data([66]), encoding: .utf8) ?? "")
    s += s.range(of: "x").map { String(s[$0]) } ?? "" ; s += NSString(string: "x").appendingPathComponent("y") + (s as NSString).substring(to: 1) + Decimal(3).description + NSNumber(value: 1).stringValue
    return s
}
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) { total += number; if number == 7 { print(work().count) } }
    public func reset() async -> Int { defer { total = 0 }; return total }
}
/*FIRST*/
