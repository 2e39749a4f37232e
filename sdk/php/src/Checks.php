<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** The checks of docs/format.md, section 5. Each runs by itself, so that expired can be told from forged. */
final class Checks
{
    private const EARLY = 300;
    private const LATE = 60;

    private ?Proof $proof;
    private string $signature;
    private string $kind;
    /** @var list<string> */
    private array $issuers;
    private int $now;
    private ?JsonObject $document;
    /** @var array{string, string}|null */
    private ?array $altered = null;
    /** @readonly */
    public bool $isContextForeign = false;

    /**
     * @param list<string> $issuers
     * @param int $now seconds since 1970
     */
    public function __construct(?Proof $proof, KeySet $keys, string $kind, array $issuers, int $now, ?JsonObject $document)
    {
        $this->proof = $proof;
        $this->signature = $proof === null ? 'nothing_signed' : $proof->signatureBy($keys);
        $this->kind = $kind;
        $this->issuers = $issuers;
        $this->now = $now;
        $this->document = $document;
        if ($document !== null && $proof !== null) {
            $compared = new ComparedDocument($document, $proof, $this->signature, $kind);
            $this->document = $compared->document;
            $this->altered = $compared->altered;
            $this->isContextForeign = $compared->isContextForeign;
        }
    }

    public function signed(): ?SignedClaims
    {
        return $this->proof === null ? null : SignedClaims::of($this->proof, $this->signature, $this->issuers);
    }

    public function signatureValid(): CheckResult
    {
        if ($this->proof === null) {
            return CheckResult::notRun('nothing_signed');
        }
        if ($this->signature === 'ok') {
            return CheckResult::passed();
        }
        // certificateIntegrity tells which issuer it is
        $isKnown = $this->signature !== 'issuer_untrusted' && $this->proof->fault === 'ok';
        return CheckResult::failed($this->signature, null, $isKnown ? 'kid ' . $this->proof->kid : null);
    }

    public function certificateIntegrity(): CheckResult
    {
        $proof = $this->proof;
        if ($proof === null) {
            return CheckResult::notRun('nothing_signed');
        }
        if ($proof->claims === null) {
            return CheckResult::failed($proof->claimsFault);
        }
        // claims can be read, but without a header it is no JWT of any kind
        if ($proof->fault === 'proof_malformed') {
            return CheckResult::failed($proof->fault);
        }
        $type = Claims::TYPES[$this->kind];
        if ($proof->typ !== $type) {
            return CheckResult::failed('proof_kind_wrong', $type, Text::describe($proof->typ));
        }
        $altered = $this->altered;
        return Claims::fault($this->kind, $proof->claims)
            ?? Claims::laterFault($proof->claims)
            ?? Claims::issuerFault($proof->claims, $this->issuers)
            ?? $this->documentFault($proof->claims)
            ?? ($altered === null ? null : CheckResult::failed('member_altered', $altered[0], $altered[1]))
            ?? $this->repeatedFault($proof->claims)
            ?? CheckResult::passed();
    }

    public function timestampValid(): CheckResult
    {
        if ($this->proof === null) {
            return CheckResult::notRun('nothing_signed');
        }
        $claims = $this->proof->claims;
        if ($claims === null) {
            return CheckResult::notRun($this->proof->claimsFault);
        }
        foreach (['iat', 'exp'] as $name) {
            if (!$claims->has($name)) {
                return CheckResult::failed('claim_missing', $name);
            }
            if (!Claims::isWhole($claims->get($name))) {
                return CheckResult::failed('claim_wrong_type', $name . ': time', Text::describe($claims->get($name)));
            }
        }
        if ($claims->get('iat') > $this->now + self::EARLY) {
            return CheckResult::failed('proof_not_yet_valid', Text::utc((float) $this->now), Text::utc($claims->get('iat')));
        }
        return $claims->get('exp') > $this->now - self::LATE
            ? CheckResult::passed()
            : CheckResult::failed('proof_expired', Text::utc($claims->get('exp')), Text::utc((float) $this->now));
    }

    /** @param ?string $host of the page, as Address::hostname() gives it; null if its address is none, which is then told as `$pageUrl` */
    public function boundToDomain(?string $host, string $pageUrl): CheckResult
    {
        return $this->bound('domain', static function (string $domain) use ($host, $pageUrl): CheckResult {
            if ($host === null) {
                return CheckResult::failed('page_url_invalid', $domain, $pageUrl);
            }
            return Host::same(Host::normalized($domain), $host) ? CheckResult::passed() : CheckResult::failed('domain_differs', $domain, $host);
        });
    }

    public function productIdMatches(string $productId): CheckResult
    {
        return $this->bound('productId', static fn (string $signed): CheckResult => self::sameId($signed, $productId)
            ? CheckResult::passed()
            : CheckResult::failed('product_differs', $productId, $signed));
    }

    public function boundToUrl(string $pageUrl): CheckResult
    {
        return $this->bound('url', static fn (string $signed): CheckResult => Pages::compare($signed, $pageUrl));
    }

    /** The signed counts decide; a difference in the document's own is only a warning. */
    public function trustBlockDiffers(): bool
    {
        $stated = $this->document === null ? null : $this->document->get('svc:trust');
        $claims = $this->proof === null ? null : $this->proof->claims;
        if ($stated === null || $claims === null) {
            return false;
        }
        if (!($stated instanceof JsonObject)) {
            return true;
        }
        foreach ($stated->names() as $name) {
            $value = $stated->get($name);
            $isCount = \in_array($name, ['certifiedAssets', 'totalAssets', 'coveragePercent'], true);
            // additional names count only if the proof binds members; older proofs did not cover them
            $differs = $isCount ? !\is_scalar($value) || $value !== $claims->get($name) : $claims->has('members');
            if ($value !== null && $differs) {
                return true;
            }
        }
        return false;
    }

    /** @param callable(string): CheckResult $compare */
    private function bound(string $name, callable $compare): CheckResult
    {
        if ($this->proof === null) {
            return CheckResult::notRun('nothing_signed');
        }
        $claims = $this->proof->claims;
        if ($claims === null) {
            return CheckResult::notRun($this->proof->claimsFault);
        }
        if (!$claims->has($name)) {
            return CheckResult::notRun('claim_missing');
        }
        $value = $claims->get($name);
        return \is_string($value) ? $compare($value) : CheckResult::notRun('claim_wrong_type');
    }

    /** Where the document repeats a signed value, both must be equal; an absent member is not a difference. */
    private function documentFault(JsonObject $claims): ?CheckResult
    {
        $document = $this->document;
        if ($document === null) {
            return null;
        }
        $issuedFor = $document->get('svc:issuedFor');
        if ($this->signature !== 'ok') {
            $isNothing = ($document->get('productID') ?? $document->get('url') ?? $issuedFor) === null;
            return $isNothing ? null : CheckResult::notRun('document_not_compared');
        }
        if ($issuedFor !== null && !($issuedFor instanceof JsonObject)) {
            return CheckResult::failed('document_differs', 'svc:issuedFor', Text::describe($issuedFor));
        }
        $within = $issuedFor ?? new JsonObject();
        $sameId = [self::class, 'sameId'];
        $sameDomain = static fn (string $a, string $b): bool => $a === $b || Host::same(Host::normalized($a), Host::normalized($b));
        return self::repeats('productID', $claims->get('productId'), $document->get('productID'), $sameId)
            ?? self::repeats('svc:issuedFor.productID', $claims->get('productId'), $within->get('productID'), $sameId)
            ?? self::repeats('svc:issuedFor.domain', $claims->get('domain'), $within->get('domain'), $sameDomain)
            ?? self::repeats('url', $claims->get('url'), $document->get('url'), [Pages::class, 'same']);
    }

    /** What certificates of assets and images repeat in addition. */
    private function repeatedFault(JsonObject $claims): ?CheckResult
    {
        if ($this->kind === 'product' || $this->document === null) {
            return null;
        }
        $same = static fn (string $a, string $b): bool => $a === $b;
        $sameId = [self::class, 'sameId'];
        $repeated = [
            ['contentUrl', ['contentUrl'], $same],
            ['imageId', ['imageId'], $sameId],
            ['svc:issuedFor.assetId', ['assetId', 'imageId'], $sameId],
            ['svc:issuedFor.url', ['url'], [Pages::class, 'same']],
            ['svc:contentCredentials.hashes.uhash', ['uhash'], $same],
            ['svc:contentCredentials.hashes.phash', ['phash'], $same],
            ['svc:contentCredentials.sourceUhash', ['sourceUhash'], $same],
            ['contentCredentials.sourceUhash', ['sourceUhash'], $same],
            ['contentCredentials.hashes.uhash', ['uhash'], $same],
            ['contentCredentials.hashes.phash', ['phash'], $same],
            ['cryptographicProof.uhash.value', ['uhash'], $same],
            ['cryptographicProof.phash.value', ['phash'], $same],
        ];
        foreach ($repeated as [$path, $names, $isSame]) {
            $value = $this->document;
            foreach (\explode('.', $path) as $name) {
                $value = $value instanceof JsonObject ? $value->get($name) : null;
            }
            $present = \array_values(\array_filter($names, [$claims, 'has']));
            $fault = self::repeats($path, $present === [] ? null : $claims->get($present[0]), $value, $isSame);
            if ($fault !== null) {
                return $fault;
            }
        }
        return null;
    }

    /**
     * @param mixed $signed
     * @param mixed $repeated
     * @param callable(string, string): bool $same
     */
    private static function repeats(string $name, $signed, $repeated, callable $same): ?CheckResult
    {
        if ($repeated === null || (\is_string($signed) && \is_string($repeated) && $same($signed, $repeated))) {
            return null;
        }
        return CheckResult::failed('document_differs', $name . ' ' . Text::describe($signed), Text::describe($repeated));
    }

    /** Ids of the service are UUIDs: letters beyond ASCII have no case here. */
    public static function sameId(string $a, string $b): bool
    {
        return Text::lower($a) === Text::lower($b);
    }
}
