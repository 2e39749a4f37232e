package certificate

// Version is that of the whole project, written here when it changes.
const Version = "0.1.0"

// Verifier is the name and version of the verifier, which every result has.
const Verifier = "touchstone/" + Version
