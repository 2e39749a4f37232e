package certificate

import "time"

// WithdrawalStatus tells whether a certificate has been withdrawn. Empty: not known.
type WithdrawalStatus string

// The statuses of a certificate.
const (
	NotWithdrawn WithdrawalStatus = "valid"
	Withdrawn    WithdrawalStatus = "invalid"   // for good
	Suspended    WithdrawalStatus = "suspended" // not published at present; it may come back
)

// Withdrawal is what is known of a withdrawal.
type Withdrawal struct {
	// Status is empty if it is not known, for Reason: neither a pass nor a failure.
	Status WithdrawalStatus `json:"status"`
	Reason Code             `json:"reason"`
	// ListIssuedAt is when the status list was issued; zero if none was read.
	ListIssuedAt time.Time `json:"listIssuedAt"`
	// NextLook is when a newer list will be looked for; zero if none was read.
	NextLook time.Time `json:"nextLook"`
}

// WithdrawalPolicy says what a caller makes of it if nothing is known of a withdrawal.
type WithdrawalPolicy string

// The policies.
const (
	Required    WithdrawalPolicy = "required"    // then nothing may be relied on
	IfReachable WithdrawalPolicy = "ifReachable" // the result stays as it is, and says so
	Ignore      WithdrawalPolicy = "none"        // it is not looked for
)

// statusFaults are faults of a proof, for which nothing is looked up: CertificateIntegrity fails.
var statusFaults = [...]Code{"status_claim_required", "status_claim_malformed", "status_uri_differs", "status_index_out_of_range"}

// effect is what follows from a withdrawal.
type effect struct {
	withdrawal Withdrawal
	failing    Check // the check that fails, if any
	reason     Code
	warning    Code // comes first, if there is one
}

func (w Withdrawal) effect(checks map[Check]CheckResult, policy WithdrawalPolicy) effect {
	// a key that was revoked is no longer accepted where that is known
	isSigned := checks[SignatureValid].Result == Passed || w.Reason == "key_revoked"
	if !isSigned || policy == Ignore {
		return effect{withdrawal: Withdrawal{Reason: "not_looked_at"}}
	}
	e := effect{withdrawal: w}
	switch w.Status {
	case Withdrawn:
		e.failing, e.reason = BoundToDomain, "certificate_withdrawn"
	case Suspended:
		e.warning = "certificate_suspended"
	case "":
		for _, fault := range statusFaults {
			if w.Reason == fault && checks[CertificateIntegrity].Result != Failed {
				e.failing, e.reason = CertificateIntegrity, fault
			}
			if w.Reason == fault {
				return e
			}
		}
		if policy == Required {
			e.warning = "withdrawal_unknown"
		}
	}
	return e
}

// apply returns the checks and notes of a result with what follows from a withdrawal.
func (e effect) apply(checks map[Check]CheckResult, warnings, errors []Note) (map[Check]CheckResult, []Note, []Note) {
	if e.warning != "" {
		warnings = append([]Note{note(e.warning)}, warnings...)
	}
	if e.failing == "" {
		return checks, warnings, errors
	}
	changed := make(map[Check]CheckResult, len(checks))
	for name, result := range checks {
		changed[name] = result
	}
	changed[e.failing] = failed(e.reason, "", "")
	told := []Note{note(e.reason)}
	for _, one := range errors {
		// what is withdrawn is never told to be a copy
		if e.failing != BoundToDomain || one.Code != "domain_differs" {
			told = append(told, one)
		}
	}
	return changed, warnings, told
}

// WithWithdrawal returns the result with what is known of a withdrawal. If the certificate was withdrawn, BoundToDomain
// fails with certificate_withdrawn, wherever it was seen. If it is suspended, no check changes, and the first warning is
// certificate_suspended. If nothing is known, only Withdrawal says so, unless the policy is Required: then the first
// warning is withdrawal_unknown. The zero policy is IfReachable.
func (r *Result) WithWithdrawal(withdrawal Withdrawal, policy WithdrawalPolicy) *Result {
	e := withdrawal.effect(r.Checks, policy)
	changed := *r
	changed.Withdrawal = &e.withdrawal
	changed.Checks, changed.Warnings, changed.Errors = e.apply(r.Checks, r.Warnings, r.Errors)
	if e.failing != "" {
		changed.Status = StatusFailed
	}
	changed.Conclusion = changed.conclude()
	return &changed
}

// WithWithdrawal returns the result with what is known of a withdrawal, as that of a Result: no profile of a certificate
// that was withdrawn is Trusted or Undetermined, and none of one that is suspended is Trusted.
func (r *ProfileResult) WithWithdrawal(withdrawal Withdrawal, policy WithdrawalPolicy) *ProfileResult {
	e := withdrawal.effect(r.Checks, policy)
	changed := *r
	changed.Withdrawal = &e.withdrawal
	changed.Checks, changed.Warnings, changed.Errors = e.apply(r.Checks, r.Warnings, r.Errors)
	changed.Profiles = make(map[Profile]ProfileStatus, len(r.Profiles))
	for profile, status := range r.Profiles {
		if e.failing != "" {
			status = Untrusted
		} else if e.warning != "" && status == Trusted {
			status = Undetermined
		}
		changed.Profiles[profile] = status
	}
	changed.Status = changed.Profiles[r.asked]
	return &changed
}
