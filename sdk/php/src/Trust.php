<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** Which issuers are trusted, and where their keys come from: never from a document. Create it once and use it for many verifications. */
final class Trust
{
    /** @var list<string> @readonly */
    public array $issuers;
    /** @var list<array{list<string>, KeySet|RemoteKeySet, ?\DateTimeInterface}> */
    private array $sources = [];

    /**
     * @param list<string> $trustedIssuers base addresses of the services whose certificates are trusted
     * @param list<IssuerKeys> $keys keys that are given or have another address; an issuer that is not named here has a set of its own,
     *   fetched from it
     * @param mixed $jwks the keys of the only trusted issuer; nothing is requested then
     * @param ?callable(string, array<string, string>): Response $fetch gets the address and the headers, follows no redirect, and throws
     *   a RuntimeException if there is no answer; default: HttpFetch
     * @param ?Cache $cache where fetched keys are kept between requests
     * @throws CannotVerifyError `no_trusted_issuer`, `keys_unavailable` if a given set is empty, `keys_address_unsafe`
     * @throws \InvalidArgumentException if it is not clear whose keys are given
     */
    public function __construct(array $trustedIssuers, array $keys = [], $jwks = null, ?callable $fetch = null, ?Cache $cache = null)
    {
        $this->issuers = IssuerKeys::addresses($trustedIssuers);
        if ($this->issuers === []) {
            throw new CannotVerifyError('no_trusted_issuer');
        }
        if ($jwks !== null && (\count($this->issuers) > 1 || $keys !== [])) {
            throw new \InvalidArgumentException('jwks is for one trusted issuer. For several, say whose keys they are: new IssuerKeys([address], $jwks).');
        }
        $given = $jwks === null ? $keys : [new IssuerKeys($this->issuers, $jwks)];
        foreach (IssuerKeys::all($this->issuers, $given) as $one) {
            $this->sources[] = [$one->issuers, self::source($one, $fetch, $cache), $one->fetchedAt];
        }
    }

    /**
     * The keys that may verify a proof, with the issuers that they belong to.
     *
     * @return array{list<string>, KeySet}
     * @throws CannotVerifyError `keys_unavailable`
     * @internal
     */
    public function keysFor(?Proof $proof, \DateTimeInterface $now): array
    {
        [$issuers, $keys, $fetchedAt] = $this->sources[0];
        // nothing to select: the signature is checked whoever claims it, and the issuer afterwards
        if (\count($this->sources) === 1 && $keys instanceof KeySet && $fetchedAt === null) {
            return [$issuers, $keys];
        }
        $claimed = $proof === null ? null : $proof->claim('iss');
        foreach ($this->sources as [$issuers, $keys, $fetchedAt]) {
            if (\in_array($claimed, $issuers, true)) {
                return [$issuers, self::keysIn($keys, $fetchedAt, $proof, $now, $issuers)];
            }
        }
        return [$this->issuers, KeySet::without('issuer_untrusted')];
    }

    /** Address of the keys of proofs. */
    public static function jwksUrl(string $issuer): string
    {
        return $issuer . '/api/v1/.well-known/jwks.json';
    }

    /** @return KeySet|RemoteKeySet */
    private static function source(IssuerKeys $keys, ?callable $fetch, ?Cache $cache)
    {
        if ($keys->jwks === null) {
            return new RemoteKeySet($keys->jwksUrl ?? self::jwksUrl($keys->issuers[0]), $fetch, $cache);
        }
        $set = new KeySet($keys->jwks);
        if ($set->isEmpty) {
            throw new CannotVerifyError('keys_unavailable', 'The given jwks of ' . \implode(', ', $keys->issuers) . ' contains no keys.');
        }
        return $set;
    }

    /**
     * @param KeySet|RemoteKeySet $keys
     * @param list<string> $issuers
     */
    private static function keysIn($keys, ?\DateTimeInterface $fetchedAt, ?Proof $proof, \DateTimeInterface $now, array $issuers): KeySet
    {
        $kid = $proof === null || $proof->fault !== 'ok' ? null : $proof->kid;
        $issuedAt = $proof === null ? null : $proof->claim('iat');
        if ($keys instanceof RemoteKeySet) {
            // a document without a readable proof needs no key, so garbage cannot cause requests
            return $kid === null ? KeySet::without('key_unknown') : $keys->at($now, $kid, $issuedAt);
        }
        $isUnknown = $fetchedAt !== null && $kid !== null && $keys->find($kid) === 'key_unknown';
        if ($isUnknown && RemoteKeySet::mayPredate(RemoteKeySet::milliseconds($fetchedAt), RemoteKeySet::milliseconds($now), $issuedAt)) {
            throw new CannotVerifyError('keys_unavailable', \implode(', ', $issuers) . ': the keys were read before the proof was issued.');
        }
        return $keys;
    }
}
