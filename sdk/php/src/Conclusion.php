<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** What a reader may conclude (docs/conclusions.md). A program that reads only `level` does the right thing. */
final class Conclusion
{
    /**
     * The first that applies. Of the table of all surfaces those that a verifier without the registry and the page can draw.
     * By code: level and sentence.
     */
    public const ROWS = [
        'withdrawn' => ['bad', 'Signed for {host}, but withdrawn since by the service that issued it.'],
        'not_in_status_list' => ['bad', 'Signed for {host} with a key of its issuer, but without the place in a status list of this issuer that it must have.'],
        'suspended' => ['caution', 'Signed for {host} and this page, but the shop does not publish it at present.'],
        'withdrawal_unknown' => ['none', 'Signed for {host} and this page. Whether it has been withdrawn since could not be found out. Try again later.'],
        'control_unproven' => ['caution', 'Signed for {host}, but nobody has shown who runs it.'],
        'context_foreign' => ['caution', 'Signed for {host} and this page, but the certificate names a remote @context, which may change what it means.'],
        'control_unknown' => ['none', 'Signed for {host} and this page. Whether anybody has shown who runs {host} is not known here.'],
        'page_not_compared' => ['none', 'Issued to {host}, {control}, for this page. Nothing that the page shows was compared with it.'],
        'page_url_invalid' => ['none', 'The given address is not the whole address of a page, so nothing could be compared with it.'],
        'issuer_untrusted' => ['bad', 'The certificate was signed by a service that is not trusted here.'],
        'not_signed_by_issuer' => ['bad', 'The certificate was not signed by the service that it names, or was changed afterwards.'],
        'altered' => ['bad', 'Signed for {host}, but changed after it was signed.'],
        'another_host' => ['bad', 'Signed for {host}, not for the site that shows it.'],
        'another_product' => ['bad', 'Signed for {host}, but for another product than the one in question.'],
        'unknown_parameter' => ['caution', 'The certified page of {host} with a parameter in its address that was not signed. Open it without.'],
        'another_page' => ['bad', 'Signed for another page of {host}.'],
        'not_yet_valid' => ['caution', 'Signed for {host} at a time that has not come yet: a clock is wrong, here or at the service.'],
        'certificate_expired' => ['caution', 'Signed for {host} and this page, but expired on {expired}. Shops renew certificates: try again later.'],
        'checks_failed' => ['bad', 'The certificate is signed, but a decisive check did not pass.'],
        'unverified' => ['none', 'A product is named, but nothing about it is signed, so nothing is proven.'],
    ];

    /** `good`, `caution`, `bad` or `none`: nothing is known that would allow a conclusion. @readonly */
    public string $level;
    /** @readonly */
    public string $code;
    /** Our own words; of what was signed it contains only the host. @readonly */
    public string $sentence;

    /**
     * @param array<string, ?bool> $checks
     * @param list<Note> $notes errors and warnings
     */
    public function __construct(string $status, array $checks, ?SignedClaims $signed, array $notes)
    {
        $codes = \array_map(static fn (Note $note): string => $note->code, $notes);
        $this->code = self::codeOf($status, $checks, $signed, static fn (string ...$any): bool => \array_intersect($any, $codes) !== []);
        [$this->level, $sentence] = self::ROWS[$this->code];
        $this->sentence = \strtr($sentence, self::words($signed));
    }

    /**
     * @param array<string, ?bool> $checks
     * @param callable(string...): bool $has
     */
    private static function codeOf(string $status, array $checks, ?SignedClaims $signed, callable $has): string
    {
        if ($status === 'unverified') {
            return 'unverified';
        }
        if ($has('certificate_withdrawn')) {
            return 'withdrawn';
        }
        if ($status === 'failed') {
            return self::failureOf($checks, $has);
        }
        foreach (['certificate_suspended' => 'suspended', 'withdrawal_unknown' => 'withdrawal_unknown'] as $note => $code) {
            if ($has($note)) {
                return $code;
            }
        }
        $method = $signed === null ? null : $signed->controlMethod;
        if ($method === 'none') {
            return 'control_unproven';
        }
        if ($has('context_foreign')) {
            return 'context_foreign';
        }
        return $method === null ? 'control_unknown' : 'page_not_compared';
    }

    /**
     * @param array<string, ?bool> $checks
     * @param callable(string...): bool $has
     */
    private static function failureOf(array $checks, callable $has): string
    {
        $rows = [
            'not_in_status_list' => $has(...Withdrawal::CLAIM_FAULTS),
            'page_url_invalid' => $has('page_url_invalid'),
            'issuer_untrusted' => $has('issuer_untrusted'),
            'not_signed_by_issuer' => $checks['signatureValid'] !== true,
            'altered' => $checks['certificateIntegrity'] === false,
            'another_host' => $checks['boundToDomain'] === false,
            'another_product' => $checks['productIdMatches'] === false,
            'unknown_parameter' => $has('url_extra_parameter'),
            'another_page' => $checks['boundToUrl'] === false,
            'not_yet_valid' => $has('proof_not_yet_valid'),
            'certificate_expired' => $has('proof_expired'),
            'checks_failed' => true,
        ];
        return (string) \array_search(true, $rows, true);
    }

    /** @return array<string, string> */
    private static function words(?SignedClaims $signed): array
    {
        $checkedAt = $signed === null ? null : $signed->controlCheckedAt;
        return [
            '{host}' => $signed === null ? 'its site' : (string) $signed->claims['domain'],
            '{expired}' => $signed === null ? 'an unknown day' : self::day($signed->expiresAt),
            '{control}' => $checkedAt === null ? 'whose control was proven' : 'whose control was last proven on ' . self::day($checkedAt),
        ];
    }

    /** `3 Mar 2026`, UTC. */
    private static function day(string $time): string
    {
        $at = \date_create_immutable($time);
        return $at === false ? $time : $at->setTimezone(new \DateTimeZone('UTC'))->format('j M Y');
    }
}
