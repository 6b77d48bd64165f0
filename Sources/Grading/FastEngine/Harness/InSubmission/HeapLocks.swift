// Compiled with a submission that keeps a lock of the C library on the heap.

typealias UnsafeMutablePointer<Lock: Checked.PosixLock> = Checked.PosixLockPointer<Lock>
