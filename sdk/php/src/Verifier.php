<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** Verifies certificates and proofs. It keeps nothing: keys and lists are kept by Trust and StatusLists. */
final class Verifier
{
    public const VERSION = '0.1.0';
    public const NAME = 'touchstone/' . self::VERSION;

    private const UUID = '/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/Di';
    private const MINIMAL = ['signatureValid', 'certificateIntegrity', 'timestampValid', 'boundToDomain'];
    private const CONTEXT = ['productIdMatches', 'boundToUrl'];

    /**
     * Verifies a product certificate that was found on a page. A hostile document gets a verdict, never an exception.
     *
     * @param mixed $document the text of the certificate (at most 1 MiB); or what Json::parse() or json_decode() made of it; null: none
     * @param string $pageUrl the address where the page was found, after redirects
     * @param ?\DateTimeInterface $now default: the system's clock
     * @param ?string $productId the product in question; default: the signed one
     * @throws CannotVerifyError if no verdict is possible: no keys
     */
    public static function verifyProductCertificate(
        $document,
        string $pageUrl,
        Trust $trust,
        ?\DateTimeInterface $now = null,
        ?string $productId = null
    ): VerificationResult {
        $submitted = new Submitted($document);
        $proof = $submitted->proof();
        $now ??= new \DateTimeImmutable();
        [$issuers, $keys] = $trust->keysFor($proof, $now);
        $productId ??= self::signedProductId($proof);
        $checks = new Checks($proof, $keys, 'product', $issuers, $now->getTimestamp(), $submitted->node);
        $address = Address::parse($pageUrl);
        $notAsked = CheckResult::notRun('registry_not_asked');
        $details = [
            'domainKnown' => $notAsked,
            'domainVerified' => $notAsked,
            'boundToUrl' => $checks->boundToUrl($pageUrl),
            'boundToDomain' => $checks->boundToDomain($address === null ? null : $address->hostname(), $pageUrl),
            'productIdMatches' => $checks->productIdMatches($productId),
            'signatureValid' => $checks->signatureValid(),
            'certificateIntegrity' => $checks->certificateIntegrity(),
            'trustDataCurrent' => $proof === null ? CheckResult::notRun('nothing_signed') : $notAsked,
            'timestampValid' => $checks->timestampValid(),
        ];
        $deciding = self::select($details, VerificationResult::LOAD_BEARING);
        $failures = self::failures($deciding);
        $isPassed = static fn (CheckResult $one): bool => $one->result === true;
        $status = $proof === null ? 'unverified' : (\array_filter($deciding, $isPassed) === $deciding ? 'verified' : 'failed');
        $warnings = self::warnings($submitted, $checks);
        if ($checks->trustBlockDiffers()) {
            $warnings[] = new Note('trust_block_differs');
        }
        return new VerificationResult($status, $productId, $checks->signed(), $details, $warnings, Reasons::notes($failures));
    }

    /**
     * Verifies a proof by itself, without the document and the page that it belongs to.
     *
     * @param mixed $jwt anything else than a proof is a failed check
     * @param string $kind `product`, `asset` or `image`
     * @throws CannotVerifyError if no verdict is possible: no keys
     * @throws \InvalidArgumentException for another kind
     */
    public static function verifyProof($jwt, string $kind, Trust $trust, ?\DateTimeInterface $now = null): ProofResult
    {
        self::checkKind($kind);
        $proof = new Proof($jwt);
        $now ??= new \DateTimeImmutable();
        [$issuers, $keys] = $trust->keysFor($proof, $now);
        $checks = new Checks($proof, $keys, $kind, $issuers, $now->getTimestamp(), null);
        return new ProofResult([
            'signatureValid' => $checks->signatureValid(),
            'certificateIntegrity' => $checks->certificateIntegrity(),
            'timestampValid' => $checks->timestampValid(),
        ], $checks->signed());
    }

    /**
     * Verifies a certificate by a profile: `minimal` takes the proof and the domain, `standard` also the product and the page, `full`
     * stays undetermined, since C2PA manifests are not read here.
     *
     * @param mixed $document as for verifyProductCertificate()
     * @param string $kind `product`, `asset` or `image`
     * @param ?string $pageUrl where it was found
     * @param ?string $domain the host where it was found; default: that of the page
     * @throws CannotVerifyError if no verdict is possible: no keys
     * @throws \InvalidArgumentException for another profile or kind
     */
    public static function verifyByProfile(
        $document,
        string $profile,
        Trust $trust,
        ?\DateTimeInterface $now = null,
        string $kind = 'product',
        ?string $pageUrl = null,
        ?string $productId = null,
        ?string $domain = null
    ): ProfileResult {
        if (!\in_array($profile, ['minimal', 'standard', 'full'], true)) {
            throw new \InvalidArgumentException("The profile must be 'minimal', 'standard' or 'full'.");
        }
        self::checkKind($kind);
        $submitted = new Submitted($document);
        $proof = $submitted->proof();
        $now ??= new \DateTimeImmutable();
        [$issuers, $keys] = $trust->keysFor($proof, $now);
        $checks = new Checks($proof, $keys, $kind, $issuers, $now->getTimestamp(), $submitted->node);
        $address = $pageUrl === null ? null : Address::parse($pageUrl);
        $host = $domain !== null ? Host::normalized($domain) : ($address === null ? null : $address->hostname());
        $notGiven = CheckResult::notRun('context_not_given');
        $isPlaceless = $domain === null && $pageUrl === null;
        $imageless = CheckResult::notRun('image_not_given');
        $details = [
            'signatureValid' => $checks->signatureValid(),
            'certificateIntegrity' => $checks->certificateIntegrity(),
            'timestampValid' => $checks->timestampValid(),
            'boundToDomain' => $isPlaceless ? $notGiven : $checks->boundToDomain($host, (string) ($pageUrl ?? $domain)),
            'productIdMatches' => $productId === null ? $notGiven : $checks->productIdMatches($productId),
            'boundToUrl' => $pageUrl === null ? $notGiven : $checks->boundToUrl($pageUrl),
            'imageBound' => $imageless,
            'c2paValid' => $imageless,
        ];
        $profiles = self::profiles($details, $proof === null, $checks->isContextForeign);
        $warnings = self::warnings($submitted, $checks);
        return new ProfileResult($profile, $profiles, $checks->signed(), $details, $warnings, Reasons::notes(self::failures($details)));
    }

    /**
     * A result with what is known of a withdrawal (StatusLists::lookUp).
     *
     * @template R of VerificationResult|ProfileResult
     * @param R $result
     * @param string $policy `required`: if it cannot be known, say so first; `ifReachable`; `none`: as if nobody had looked
     * @return R
     */
    public static function withWithdrawal($result, Withdrawal $withdrawal, string $policy = 'ifReachable')
    {
        return $withdrawal->appliedTo($result, $policy);
    }

    /**
     * At least one of product and page must be given, and each that is given must match. It fails closed: without a proof, standard and
     * full are untrusted; under a remote context that is not known here, nothing is trusted.
     *
     * @param array<string, CheckResult> $details
     * @return array<string, string>
     */
    private static function profiles(array $details, bool $isNothing, bool $isContextForeign): array
    {
        $isGiven = static fn (string $name): bool => $details[$name]->reason !== 'context_not_given';
        $known = \array_filter(self::CONTEXT, $isGiven);
        $standard = \array_merge(self::MINIMAL, $known === [] ? self::CONTEXT : $known);
        $combined = static function (array $names) use ($details, $isContextForeign): string {
            $results = \array_map(static fn (string $name): ?bool => $details[$name]->result, $names);
            if (\in_array(false, $results, true)) {
                return 'untrusted';
            }
            return \in_array(null, $results, true) || $isContextForeign ? 'undetermined' : 'trusted';
        };
        return [
            'minimal' => $combined(self::MINIMAL),
            'standard' => $isNothing ? 'untrusted' : $combined($standard),
            'full' => $isNothing ? 'untrusted' : $combined(\array_merge($standard, ['imageBound', 'c2paValid'])),
        ];
    }

    /** @return list<Note> */
    private static function warnings(Submitted $submitted, Checks $checks): array
    {
        $warnings = $submitted->dropped === null ? [] : [new Note($submitted->dropped)];
        if ($checks->isContextForeign) {
            $warnings[] = new Note('context_foreign');
        }
        return $warnings;
    }

    /**
     * @param array<string, CheckResult> $details
     * @return list<CheckResult>
     */
    private static function failures(array $details): array
    {
        return \array_values(\array_filter($details, static fn (CheckResult $one): bool => $one->result === false));
    }

    /**
     * @param array<string, CheckResult> $details
     * @param list<string> $names
     * @return array<string, CheckResult>
     */
    private static function select(array $details, array $names): array
    {
        return \array_merge(\array_flip($names), \array_intersect_key($details, \array_flip($names)));
    }

    private static function signedProductId(?Proof $proof): string
    {
        $claimed = $proof === null ? null : $proof->claim('productId');
        return \is_string($claimed) && \preg_match(self::UUID, $claimed) === 1 ? $claimed : '';
    }

    private static function checkKind(string $kind): void
    {
        if (!isset(Claims::TYPES[$kind])) {
            throw new \InvalidArgumentException("The kind must be 'product', 'asset' or 'image'.");
        }
    }
}
