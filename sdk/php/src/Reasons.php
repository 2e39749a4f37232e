<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** The codes of docs/codes.md that this verifier gives, with their sentences, which may change. */
final class Reasons
{
    public const SENTENCES = [
        'ok' => 'The check passed.',
        'nothing_signed' => 'No signed certificate was submitted.',
        'registry_not_asked' => 'The registry was not consulted.',
        'document_not_compared' => 'The signature is not valid: the document was not compared.',
        'proof_malformed' => 'The proof is not a compact JWS.',
        'proof_too_large' => 'The proof is over 8 KB.',
        'header_not_allowed' => 'The proof has a header parameter that is not allowed.',
        'algorithm_not_allowed' => 'The proof is not signed with RS256.',
        'kid_missing' => 'The proof names no key.',
        'key_unknown' => 'The issuer publishes no key of this name.',
        'key_ambiguous' => 'The issuer publishes several keys of this name.',
        'key_unsuitable' => 'The key is unfit for RS256.',
        'signature_mismatch' => 'The signature does not match.',
        'proof_kind_wrong' => 'The proof is for another kind of certificate.',
        'claims_unreadable' => 'The claims are not one JSON object.',
        'claim_missing' => 'A claim is missing.',
        'claim_wrong_type' => 'A claim has the wrong type.',
        'lifetime_wrong' => 'The proof does not expire 7 days after it was issued.',
        'issuer_untrusted' => 'The issuer of the proof is not trusted.',
        'document_differs' => 'The document contradicts its signed proof.',
        'member_altered' => 'A member of the document is not as it was issued.',
        'proof_expired' => 'The proof is past its 7 days.',
        'proof_not_yet_valid' => 'The proof is from the future.',
        'product_differs' => 'The proof was issued for another product.',
        'domain_differs' => 'The proof was issued for another site.',
        'page_url_invalid' => 'The address of the page is not an absolute http or https URL.',
        'signed_url_invalid' => 'The signed address is not an absolute http or https URL.',
        'url_differs' => 'The proof was issued for another page.',
        'url_extra_parameter' => 'The address of the page has a parameter that was not signed.',
        'url_too_long' => 'An address is over 8,192 characters.',
        'url_credentials' => 'The address of the page has a user name or password.',
        'document_not_single_node' => 'The document is not one JSON-LD node.',
        'document_not_json' => 'The document is not JSON.',
        'proof_absent' => 'The document carries no signed proof.',
        'trust_block_differs' => 'The coverage in the document differs from the signed one.',
        'context_foreign' => 'A remote @context may change the meaning.',
        'not_withdrawn' => 'The issuer has not withdrawn the certificate.',
        'withdrawn' => 'The issuer has withdrawn the certificate for good.',
        'key_revoked' => 'The issuer has revoked the key that signed the certificate.',
        'suspended' => 'The shop does not publish this certificate at present.',
        'not_looked_at' => 'Nobody asked whether the certificate has been withdrawn.',
        'registry_outdated' => 'The registry is not reachable, and was read before: it may have been withdrawn since.',
        'status_claim_absent' => 'The proof is from before certificates named a status list.',
        'status_list_unreachable' => 'The status list of the issuer, or its keys, cannot be read at the moment.',
        'status_list_expired' => 'The status list is past its lifetime.',
        'status_list_not_yet_valid' => 'The status list is from the future.',
        'status_list_malformed' => 'The status list cannot be read.',
        'status_list_too_large' => 'The status list is larger than it may be.',
        'status_list_type_wrong' => 'What was served as a status list is a token of another type.',
        'status_list_subject_differs' => 'The status list is another one than the proof names.',
        'status_list_signature_invalid' => 'The signature of the status list does not match.',
        'status_list_key_unknown' => 'The issuer publishes no usable key of this name for status lists.',
        'status_value_unknown' => 'The status list has a value that is not defined.',
        'status_claim_required' => 'The issuer gives every certificate a place in a status list: this one has none.',
        'status_claim_malformed' => 'The proof does not say where its status is listed.',
        'status_uri_differs' => 'The proof names a status list that is not one of its issuer.',
        'status_index_out_of_range' => 'The proof names a place that no status list has.',
        'certificate_withdrawn' => 'The issuer has withdrawn the certificate for good.',
        'certificate_suspended' => 'The shop does not publish this certificate at present.',
        'withdrawal_unknown' => 'Whether the certificate has been withdrawn could not be found out, as was required.',
    ];

    /**
     * One note for each reason, with the values compared by the first check of that reason. An untrusted issuer comes first: its
     * unknown keys are only a consequence.
     *
     * @param list<CheckResult> $results
     * @return list<Note>
     */
    public static function notes(array $results): array
    {
        $ofIssuer = \array_filter($results, static fn (CheckResult $one): bool => $one->reason === 'issuer_untrusted');
        $compared = \array_filter($ofIssuer, static fn (CheckResult $one): bool => $one->expected !== null);
        $notes = [];
        foreach (\array_merge($compared, $ofIssuer, $results) as $one) {
            $details = $one->expected === null ? '' : ' Expected ' . $one->expected . '.';
            $details .= $one->actual === null ? '' : ' Found ' . $one->actual . '.';
            $notes[$one->reason] ??= new Note($one->reason, self::SENTENCES[$one->reason] . $details);
        }
        return \array_values($notes);
    }
}
