// Tries: to offer nothing
// Allowed: didNotCompile
// nothing at all
