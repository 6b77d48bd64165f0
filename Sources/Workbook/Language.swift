/// A language that a person can read the workbook in: all that the code has to know of it.
///
/// To add one: a value here and its place in `all`, its texts in the String Catalogs, and the briefs `README.<code>.md`.
public struct Language: Sendable {
    /// What commands and files call it: `id`, `th`, `es`, `ko`, `zh` or `en`.
    public let code: String
    /// Its name in itself.
    public let ownName: String
    /// Its name in English.
    public let englishName: String
    /// What else a person may call it, in its own language or another one.
    var otherNames: [String] = []
    /// Codes that older systems use for it.
    var otherCodes: [String] = []

    /// The plural categories of CLDR that the language has in addition to `other`, and the numbers that each is for.
    var plurals: [(category: StringCatalog.PluralCategory, holds: @Sendable (Double) -> Bool)] = []

    var decimalSeparator = "."
    var groupSeparator = ","
    /// Shorter numbers are written without group separators.
    var digitsBeforeGrouping = 3
    var percentSign = "%"
    /// What follows a number of seconds, and one of milliseconds.
    var secondsUnit = " s"
    var millisecondsUnit = " ms"
    /// What stands between the items of a list.
    public var listSeparator = ", "

    /// The letters between which a line may be broken without a space.
    public var breakableLetters: [ClosedRange<UInt32>] = []
    /// Marks that no line begins with, and marks that no line ends with, where it is broken between such letters.
    public var closingMarks = ""
    public var openingMarks = ""

    /// What its keyboard types where an English one types `qwertyuiopasdfghjklzxcvbnm`; empty where it types the same.
    public var keyboard = ""
    /// Vowels and marks that are typed by themselves, so that the backspace key takes them back by themselves.
    public var separatelyTypedMarks: ClosedRange<Unicode.Scalar>?
}

extension Language {
    public static let indonesian = Language(
        code: "id", ownName: "Bahasa Indonesia", englishName: "Indonesian", otherNames: ["Indonesia", "Bahasa", "ind"],
        // Java and older systems still use it.
        otherCodes: ["in"],
        decimalSeparator: ",", groupSeparator: ".", secondsUnit: " detik")

    public static let thai = Language(
        code: "th", ownName: "ไทย", englishName: "Thai", otherNames: ["ภาษาไทย", "tha"],
        secondsUnit: " วินาที", millisecondsUnit: " มิลลิวินาที",
        keyboard: "ๆไำพะัีรนยฟหกดเ้่าสผปแอิืท", separatelyTypedMarks: "\u{E31}"..."\u{E4E}")

    public static let spanish = Language(
        code: "es", ownName: "Español", englishName: "Spanish", otherNames: ["castellano", "spa", "esp"],
        plurals: [
            (.one, { $0 == 1 }),
            // Whole millions: «un millón de tests».
            (.many, { $0 != 0 && $0.truncatingRemainder(dividingBy: 1_000_000) == 0 }),
        ],
        decimalSeparator: ",", groupSeparator: ".", digitsBeforeGrouping: 4, percentSign: "\u{A0}%")

    public static let korean = Language(
        code: "ko", ownName: "한국어", englishName: "Korean", otherNames: ["한국말", "한글", "kor", "kr"],
        secondsUnit: "초", millisecondsUnit: "ms", keyboard: "ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔㅁㄴㅇㄹㅎㅗㅓㅏㅣㅋㅌㅊㅍㅠㅜㅡ")

    public static let chinese = Language(
        code: "zh", ownName: "简体中文", englishName: "Chinese",
        otherNames: ["中文", "汉语", "漢語", "普通话", "繁體中文", "Simplified Chinese", "Mandarin", "zho", "chi", "cn"],
        secondsUnit: " 秒", millisecondsUnit: " 毫秒", listSeparator: "、",
        breakableLetters: [0x3000...0x303F, 0x3400...0x9FFF, 0xFF00...0xFFEF, 0x20000...0x3FFFF],
        closingMarks: "，。、；：？！）”’》】…%,.;:?!)", openingMarks: "（“‘《【(`")

    public static let english = Language(
        code: "en", ownName: "English", englishName: "English",
        otherNames: ["eng", "英语", "英文", "영어", "อังกฤษ", "ภาษาอังกฤษ", "inglés", "Inggris"],
        plurals: [(.one, { $0 == 1 })])
}

extension Language: CaseIterable {
    /// In the order in which they are offered.
    public static let allCases: [Language] = [.indonesian, .thai, .spanish, .korean, .chinese, .english]

    public init?(code: String) {
        guard let language = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = language
    }

    /// The language a locale such as `ko_KR.UTF-8` or `zh-Hans-CN` asks for; `nil` for `C`, `POSIX` and the rest.
    public init?(locale: String) {
        let code = String(locale.lowercased().prefix { !"_-.@".contains($0) })
        guard let language = Self.allCases.first(where: { $0.code == code || $0.otherCodes.contains(code) }) else {
            return nil
        }
        self = language
    }

    /// The language the environment asks for, read in the order that POSIX gives.
    public init?(environment: [String: String]) {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        guard let locale else { return nil }
        self.init(locale: locale)
    }

    /// The plural category of a number.
    public func pluralCategory(of number: Double) -> StringCatalog.PluralCategory {
        plurals.first { $0.holds(number) }?.category ?? .other
    }

    /// The categories that a text with a number needs.
    public var pluralCategories: Set<StringCatalog.PluralCategory> { Set(plurals.map(\.category)).union([.other]) }
}

extension Language: Hashable {
    public static func == (left: Language, right: Language) -> Bool { left.code == right.code }
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension Language: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let language = Language(code: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "Expected one of \(Self.allCases.map(\.code)).")
        }
        self = language
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(code)
    }
}

extension Language: CustomStringConvertible {
    public var description: String { code }
}
