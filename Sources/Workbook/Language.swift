/// A language that a person can read the workbook in.
public enum Language: String, CaseIterable, Codable, Sendable {
    case indonesian = "id"
    case thai = "th"
    case spanish = "es"
    case korean = "ko"
    case chinese = "zh"
    case english = "en"

    /// The code that commands and files use: `id`, `th`, `es`, `ko`, `zh` or `en`.
    public var code: String { rawValue }

    /// The language's name in itself.
    public var ownName: String {
        switch self {
        case .indonesian: "Bahasa Indonesia"
        case .thai: "ไทย"
        case .spanish: "Español"
        case .korean: "한국어"
        case .chinese: "简体中文"
        case .english: "English"
        }
    }

    /// What stands between the items of a list.
    public var listSeparator: String { self == .chinese ? "、" : ", " }

    /// The language a locale such as `ko_KR.UTF-8` or `zh-Hans-CN` asks for; `nil` for `C`, `POSIX` and the rest.
    public init?(locale: String) {
        let first = locale.lowercased().prefix { $0 != "_" && $0 != "-" && $0 != "." && $0 != "@" }
        switch first {
        case "in": self = .indonesian  // the code Java and older systems still use
        default: self.init(rawValue: String(first))
        }
    }

    /// The language the environment asks for, read in the order that POSIX gives.
    public init?(environment: [String: String]) {
        for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
            if let value = environment[name], !value.isEmpty {
                guard let language = Language(locale: value) else { return nil }
                self = language
                return
            }
        }
        return nil
    }
}
