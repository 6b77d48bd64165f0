// Names in Chinese, Korean and emoji, as learners use.
/*ANSWER*/
public struct 计数器 { public var 数 = 0; public init() {}; public mutating func 增加() { 数 += 1 } }
struct 합계 { var 값 = 3 }
let 🎉 = "party"
func 🚀(_ ударение: Int) -> String { "\(🎉) \(ударение) \(합계().값)" }
