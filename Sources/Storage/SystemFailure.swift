import Foundation

/// Why the system refused a file operation, as far as a person can act on it.
public enum SystemFailure: Error, Sendable, Equatable {
    case notPermitted
    case readOnlyFileSystem
    case diskFull
    case noSuchFile
    case isFolder
    case other(code: Int32)

    public init(_ code: Int32) {
        switch code {
        case EACCES, EPERM: self = .notPermitted
        case EROFS: self = .readOnlyFileSystem
        case ENOSPC, EDQUOT: self = .diskFull
        case ENOENT, ENOTDIR: self = .noSuchFile
        case EISDIR: self = .isFolder
        default: self = .other(code: code)
        }
    }

    /// The system's own number for it.
    public var code: Int32 {
        switch self {
        case .notPermitted: EACCES
        case .readOnlyFileSystem: EROFS
        case .diskFull: ENOSPC
        case .noSuchFile: ENOENT
        case .isFolder: EISDIR
        case .other(let code): code
        }
    }

    /// What Foundation or this module reports of a file operation.
    public init(_ error: any Error) {
        if case AppendOnlyLog.Problem.unusable(_, let failure) = error {
            self = failure
            return
        }
        if let failure = error as? SystemFailure {
            self = failure
            return
        }
        let error = error as NSError
        if let code = (error.userInfo[NSUnderlyingErrorKey] as? NSError)?.code {
            self.init(Int32(truncatingIfNeeded: code))
        } else if error.domain == NSPOSIXErrorDomain {
            self.init(Int32(truncatingIfNeeded: error.code))
        } else {
            switch CocoaError.Code(rawValue: error.code) {
            case .fileWriteNoPermission, .fileReadNoPermission: self = .notPermitted
            case .fileWriteVolumeReadOnly: self = .readOnlyFileSystem
            case .fileWriteOutOfSpace: self = .diskFull
            case .fileNoSuchFile, .fileReadNoSuchFile: self = .noSuchFile
            default: self = .other(code: EIO)
            }
        }
    }
}
