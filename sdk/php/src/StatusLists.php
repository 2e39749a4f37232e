<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** The status lists of trusted issuers, which tell whether a certificate was withdrawn. Create it once: it keeps what it fetches. */
final class StatusLists
{
    /** @var list<array{list<string>, callable, HeldLists, ?RemoteKeySet}> */
    private array $sources = [];

    /**
     * @param list<string> $trustedIssuers as for Trust
     * @param list<IssuerKeys> $keys the keys of status lists, which are never those of proofs: what statusListJwksUrl() serves. An issuer that
     *   is not named has a set of its own, fetched from there
     * @param list<string> $prefetched lists that were fetched before; each counts until it expires, unless a newer one can be fetched
     * @param ?callable(string, array<string, string>): Response $fetch as for Trust
     * @param bool $isOffline nothing is fetched: only what is given is used
     * @param ?Cache $cache where fetched keys and lists are kept between requests
     * @throws CannotVerifyError `keys_address_unsafe`
     * @throws \InvalidArgumentException if it is not clear whose keys are given
     * @throws \LogicException without ext-zlib
     */
    public function __construct(
        array $trustedIssuers,
        array $keys = [],
        array $prefetched = [],
        ?callable $fetch = null,
        bool $isOffline = false,
        ?Cache $cache = null
    ) {
        if (!\function_exists('inflate_init')) {
            throw new \LogicException('Status lists are compressed: PHP needs the extension zlib.');
        }
        $fetch = $isOffline ? null : $fetch ?? new HttpFetch();
        foreach (IssuerKeys::all(IssuerKeys::addresses($trustedIssuers), $keys) as $one) {
            $isOwn = static function (string $token) use ($one): bool {
                $uri = StatusList::statedUri($token);
                $isOf = static fn (string $issuer): bool => $uri !== null && StatusList::isUriOf($uri, $issuer);
                return \array_filter($one->issuers, $isOf) !== [];
            };
            $listKeys = self::keysOf($one, $fetch, $cache);
            $lists = new HeldLists($listKeys, $fetch, $cache, \array_values(\array_filter($prefetched, $isOwn)));
            $proofKeys = $fetch === null ? null : new RemoteKeySet(Trust::jwksUrl($one->issuers[0]), $fetch, $cache);
            $this->sources[] = [$one->issuers, $listKeys, $lists, $proofKeys];
        }
    }

    /**
     * Looks up whether a certificate was withdrawn. Whatever is wrong with the list, its keys or the network is a reason, never an
     * exception.
     *
     * @param mixed $document the certificate, as for Verifier, or its proof
     * @param ?string $issuer of the proof, once its signature is valid and the issuer trusted: `signed->issuer` of a result. Without it,
     *   nothing is looked up
     */
    public function lookUp($document, ?string $issuer, ?\DateTimeInterface $now = null): Withdrawal
    {
        $isJwt = \is_string($document) && \strncmp(\ltrim($document), '{', 1) !== 0;
        $proof = $isJwt ? new Proof($document) : (new Submitted($document))->proof();
        $isItsOwn = $issuer !== null && $proof !== null && $proof->fault === 'ok' && $proof->claim('iss') === $issuer;
        foreach ($isItsOwn ? $this->sources : [] as $source) {
            if (\in_array($issuer, $source[0], true)) {
                return self::withdrawalOf($source, $proof, $issuer, $now ?? new \DateTimeImmutable());
            }
        }
        return new Withdrawal(null, 'not_looked_at');
    }

    /** Address of the keys of an issuer's status lists. */
    public static function statusListJwksUrl(string $issuer): string
    {
        return $issuer . '/api/v1/.well-known/status-list-jwks.json';
    }

    /** @param array{list<string>, callable, HeldLists, ?RemoteKeySet} $source */
    private static function withdrawalOf(array $source, Proof $proof, string $issuer, \DateTimeInterface $now): Withdrawal
    {
        [, $listKeys, $lists, $proofKeys] = $source;
        $entry = self::entryOf($proof, $issuer);
        if (\is_string($entry)) {
            return new Withdrawal(null, $entry);
        }
        [$index, $uri] = $entry ?? [0, ''];
        $list = $entry === null ? self::whyUnlisted($listKeys, $proof->claim('iat'), $now) : $lists->at($uri, $now);
        $told = static fn (string $status, string $reason, StatusList $by): Withdrawal =>
            new Withdrawal($status, $reason, Text::utc($by->issuedAt), Text::utc($lists->nextLook($by)));
        $revoking = $lists->revoking($proof->kid, $now);
        if ($revoking !== null) {
            return $told('invalid', 'key_revoked', $revoking);
        }
        if (\is_string($list)) {
            $ended = $entry === null ? null : $lists->endedAt($uri, $now);
            if ($ended !== null && $ended->entryAt($index) === 1) {
                return $told('invalid', 'withdrawn', $ended);
            }
            return self::isTakenBack($proofKeys, $proof, $now) ? new Withdrawal('invalid', 'key_revoked') : new Withdrawal(null, $list);
        }
        $values = [0 => ['valid', 'not_withdrawn'], 1 => ['invalid', 'withdrawn'], 2 => ['suspended', 'suspended']];
        $value = $values[$list->entryAt($index)] ?? null;
        return $value === null ? new Withdrawal(null, 'status_value_unknown') : $told($value[0], $value[1], $list);
    }

    /** @return array{int, string}|string|null the place of a proof, why it is none, or null if it names none */
    private static function entryOf(Proof $proof, string $issuer)
    {
        if ($proof->claims === null || !$proof->claims->has('status')) {
            return null;
        }
        $status = $proof->claim('status');
        $list = $status instanceof JsonObject ? $status->get('status_list') : null;
        $index = $list instanceof JsonObject ? $list->get('idx') : null;
        $uri = $list instanceof JsonObject ? $list->get('uri') : null;
        if (!\is_string($uri) || !Claims::isCount($index)) {
            return 'status_claim_malformed';
        }
        if (!StatusList::isUriOf($uri, $issuer)) {
            return 'status_uri_differs';
        }
        return $index < StatusList::SIZE ? [(int) $index, $uri] : 'status_index_out_of_range';
    }

    /** @param mixed $issuedAt */
    private static function whyUnlisted(callable $listKeys, $issuedAt, \DateTimeInterface $now): string
    {
        $keys = $listKeys($now, null, null);
        if ($keys === null) {
            return 'status_list_unreachable';
        }
        $isOlder = \is_float($issuedAt) && ($keys->claimRequiredFrom === null || $issuedAt < $keys->claimRequiredFrom);
        return $isOlder ? 'status_claim_absent' : 'status_claim_required';
    }

    /** Whether the issuer no longer publishes the key of a proof: the caller may hold older keys. */
    private static function isTakenBack(?RemoteKeySet $proofKeys, Proof $proof, \DateTimeInterface $now): bool
    {
        try {
            return $proofKeys !== null && $proofKeys->at($now, $proof->kid, $proof->claim('iat'))->find($proof->kid) === 'key_unknown';
        } catch (CannotVerifyError $error) {
            return false;
        }
    }

    /** @return callable(\DateTimeInterface, ?string, mixed): ?KeySet null: they cannot be had */
    private static function keysOf(IssuerKeys $given, ?callable $fetch, ?Cache $cache): callable
    {
        if ($given->jwks !== null || $fetch === null) {
            $keys = $given->jwks === null ? null : new KeySet($given->jwks);
            return static fn (): ?KeySet => $keys;
        }
        $remote = new RemoteKeySet($given->jwksUrl ?? self::statusListJwksUrl($given->issuers[0]), $fetch, $cache);
        return static function (\DateTimeInterface $now, ?string $kid, $issuedAt) use ($remote): ?KeySet {
            try {
                return $remote->at($now, $kid, $issuedAt);
            } catch (CannotVerifyError $error) {
                return null;
            }
        };
    }
}
