<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/**
 * The signed claims; there only if the signature is valid and the issuer trusted. Names and addresses are the shop's own: the service
 * vouches only for having recorded them.
 */
final class SignedClaims
{
    /** `product`, `asset` or `image`. @readonly */
    public string $kind;
    /** Base address of the service that signed. @readonly */
    public string $issuer;
    /** RFC 3339, like expiresAt. @readonly */
    public string $issuedAt;
    /** @readonly */
    public string $expiresAt;
    /** How control of `domain` had been proven: a method, or `none`. Null in proofs from before this was signed. @readonly */
    public ?string $controlMethod = null;
    /** When that was last checked, RFC 3339; null exactly if it had not been proven. @readonly */
    public ?string $controlCheckedAt = null;
    /**
     * The others by their names: domain, url, productId, externalProductId, productName, storeName, storeUrl; of products
     * certifiedAssets, totalAssets, coveragePercent; of assets and images assetId or imageId, contentUrl, and uhash and phash if
     * they are there.
     *
     * @var array<string, string|float>
     * @readonly
     */
    public array $claims = [];

    private function __construct()
    {
    }

    /** @param list<string> $issuers */
    public static function of(Proof $proof, string $signature, array $issuers): ?self
    {
        $kind = \array_search($proof->typ, Claims::TYPES, true);
        $claims = $proof->claims;
        if ($signature !== 'ok' || $claims === null || $kind === false) {
            return null;
        }
        if (Claims::fault($kind, $claims) !== null || Claims::issuerFault($claims, $issuers) !== null) {
            return null;
        }
        $signed = new self();
        $signed->kind = $kind;
        $signed->issuer = $claims->get('iss');
        $signed->issuedAt = Text::utc($claims->get('iat'));
        $signed->expiresAt = Text::utc($claims->get('exp'));
        foreach (\array_keys(Claims::required($kind)) as $name) {
            if (!\in_array($name, ['iss', 'iat', 'exp'], true)) {
                $signed->claims[$name] = $claims->get($name);
            }
        }
        foreach (['uhash', 'phash'] as $name) {
            if (\is_string($claims->get($name))) {
                $signed->claims[$name] = $claims->get($name);
            }
        }
        $control = $claims->get('control');
        if ($control instanceof JsonObject) {
            $signed->controlMethod = $control->get('method');
            $signed->controlCheckedAt = $control->has('checkedAt') ? Text::utc($control->get('checkedAt')) : null;
        }
        return $signed;
    }
}
