<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** What the claims of a proof must be (docs/format.md, section 2). */
final class Claims
{
    public const TYPES = [
        'product' => 'product-certificate+jwt',
        'asset' => 'asset-certificate+jwt',
        'image' => 'image-certificate+jwt',
    ];
    private const LIFETIME = 604800;
    private const COMMON = [
        'iss' => 'text', 'iat' => 'time', 'exp' => 'time', 'domain' => 'text', 'url' => 'text', 'productId' => 'text',
        'externalProductId' => 'text', 'productName' => 'text', 'storeName' => 'text', 'storeUrl' => 'text',
    ];
    private const OWN = [
        'product' => ['certifiedAssets' => 'count', 'totalAssets' => 'count', 'coveragePercent' => 'percent'],
        'asset' => ['assetId' => 'text', 'contentUrl' => 'text'],
        'image' => ['imageId' => 'text', 'contentUrl' => 'text'],
    ];

    /**
     * The claims that a proof of this kind must carry, with their types.
     *
     * @return array<string, string>
     */
    public static function required(string $kind): array
    {
        return self::COMMON + self::OWN[$kind];
    }

    /** The first fault of a claim that every proof of this kind must carry. */
    public static function fault(string $kind, JsonObject $claims): ?CheckResult
    {
        $control = $claims->has('control') ? ['control' => 'method and time'] : []; // older proofs do not have it
        return self::typeFault($claims, self::required($kind) + $control);
    }

    /** The first fault of the claims that bind members, or of the lifetime. */
    public static function laterFault(JsonObject $claims): ?CheckResult
    {
        if ($claims->has('namespace') || $claims->has('members')) {
            $fault = self::typeFault($claims, ['namespace' => 'text', 'members' => 'digests']);
            if ($fault !== null) {
                return $fault;
            }
        }
        $lifetime = $claims->get('exp') - $claims->get('iat');
        return (int) $lifetime === self::LIFETIME
            ? null
            : CheckResult::failed('lifetime_wrong', self::LIFETIME . ' s', Text::number($lifetime) . ' s');
    }

    /** @param list<string> $issuers */
    public static function issuerFault(JsonObject $claims, array $issuers): ?CheckResult
    {
        return \in_array($claims->get('iss'), $issuers, true)
            ? null
            : CheckResult::failed('issuer_untrusted', \implode(', ', $issuers), Text::describe($claims->get('iss')));
    }

    /**
     * Whether a value is an integer that a double holds exactly.
     *
     * @param mixed $value
     */
    public static function isWhole($value): bool
    {
        return \is_float($value) && \abs($value) < 9007199254740992 && $value === \floor($value);
    }

    /** @param mixed $value */
    public static function isCount($value): bool
    {
        return self::isWhole($value) && $value >= 0;
    }

    /** @param mixed $value */
    public static function areDigests($value): bool
    {
        return $value instanceof JsonObject && \array_filter($value->members, 'is_string') === $value->members;
    }

    /** @param array<string, string> $types */
    private static function typeFault(JsonObject $claims, array $types): ?CheckResult
    {
        foreach ($types as $name => $type) {
            if (!$claims->has($name)) {
                return CheckResult::failed('claim_missing', $name);
            }
            if (!self::isOfType($claims->get($name), $type)) {
                return CheckResult::failed('claim_wrong_type', $name . ': ' . $type, Text::describe($claims->get($name)));
            }
        }
        return null;
    }

    /** @param mixed $value */
    private static function isOfType($value, string $type): bool
    {
        if ($type === 'text') {
            return \is_string($value);
        }
        if ($type === 'percent') {
            return \is_float($value) && $value >= 0 && $value <= 100;
        }
        if ($type === 'digests') {
            return self::areDigests($value);
        }
        if ($type === 'method and time') {
            // members of later releases are ignored, like unknown claims
            return $value instanceof JsonObject && \is_string($value->get('method'))
                && ($value->get('method') === 'none' ? !$value->has('checkedAt') : self::isCount($value->get('checkedAt')));
        }
        return self::isCount($value);
    }
}
