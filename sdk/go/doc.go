// Package certificate verifies product certificates, offline: whether a service that the caller trusts signed a certificate
// for this page, host and product, and whether it has been withdrawn since.
//
// VerifyProductCertificate gives a verdict with reasons on a document that was found on a page. Whatever a document says,
// there is a verdict: never a panic, and no error. An error means that there can be no verdict, since nobody is trusted or
// the keys of the issuer cannot be read; it says nothing about the certificate.
//
// Trust comes from the caller alone. No issuer, key or address that a document names is ever trusted or requested. The only
// requests are those of a Trust for keys that it was not given, and those of StatusLists.
//
// The package has no state of its own: a Trust and StatusLists hold what they fetched, and are safe for concurrent use. It
// uses nothing but the standard library. The format is described in docs/format.md of the project, the codes in
// docs/codes.md.
package certificate
