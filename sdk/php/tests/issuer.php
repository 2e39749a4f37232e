<?php

declare(strict_types=1);

/** An issuer for tests: its key is made once in each run. */

namespace Touchstone\Certificate;

final class TestIssuer
{
    public const ADDRESS = 'https://certificates.example';
    public const PAGE = 'https://shop.example/products/cup';
    public const PRODUCT = '0b54ecb8-6a0c-4d43-a2ee-ae49e0c8a0a6';
    public const NOW = 1772366400;

    public string $jwks;
    private $key;
    private string $kid;

    public function __construct(string $kid = 'key-1', array $more = [])
    {
        $this->kid = $kid;
        $this->key = \openssl_pkey_new(['private_key_bits' => 2048, 'private_key_type' => \OPENSSL_KEYTYPE_RSA]);
        $rsa = \openssl_pkey_get_details($this->key)['rsa'];
        $jwk = ['kty' => 'RSA', 'kid' => $kid, 'use' => 'sig', 'alg' => 'RS256', 'n' => Base64url::encode($rsa['n']), 'e' => Base64url::encode($rsa['e'])];
        $this->jwks = \json_encode(['keys' => [$jwk]] + $more);
    }

    public function sign(string $typ, string $claims): string
    {
        $header = \json_encode(['alg' => 'RS256', 'kid' => $this->kid, 'typ' => $typ]);
        $signed = Base64url::encode($header) . '.' . Base64url::encode($claims);
        \openssl_sign($signed, $signature, $this->key, \OPENSSL_ALGO_SHA256);
        return $signed . '.' . Base64url::encode($signature);
    }

    public function proof(array $more = []): string
    {
        return $this->sign('product-certificate+jwt', \json_encode($more + [
            'iss' => self::ADDRESS, 'iat' => self::NOW, 'exp' => self::NOW + 604800, 'domain' => 'shop.example', 'url' => self::PAGE,
            'productId' => self::PRODUCT, 'externalProductId' => 'cup-1', 'productName' => 'Cup', 'storeName' => 'Shop',
            'storeUrl' => 'https://shop.example/', 'certifiedAssets' => 1, 'totalAssets' => 2, 'coveragePercent' => 50,
        ]));
    }

    /** The text of a certificate. */
    public function document(array $claims = [], array $members = []): string
    {
        return \json_encode($members + [
            '@context' => 'https://schema.org', '@type' => 'Product', 'url' => self::PAGE, 'productID' => self::PRODUCT,
            'proof' => ['type' => 'JsonWebSignature2020', 'algorithm' => 'RS256', 'jwt' => $this->proof($claims)],
        ]);
    }

    public function statusList(array $entries, array $more = [], int $number = 7): string
    {
        $bytes = \str_repeat("\x00", 262144);
        foreach ($entries as $index => $value) {
            $bytes[\intdiv($index, 4)] = \chr(\ord($bytes[\intdiv($index, 4)]) | $value << $index % 4 * 2);
        }
        return $this->sign('statuslist+jwt', \json_encode($more + [
            'sub' => self::ADDRESS . '/api/v1/mc4p/status/' . $number, 'iat' => self::NOW, 'exp' => self::NOW + 86400, 'ttl' => 900,
            'status_list' => ['bits' => 2, 'lst' => Base64url::encode(\gzcompress($bytes))], 'revoked_kids' => [],
        ]));
    }

    public static function at(int $seconds = 0): \DateTimeImmutable
    {
        return new \DateTimeImmutable('@' . (self::NOW + $seconds));
    }
}

/** Answers of addresses, and what was asked. */
final class TestNetwork
{
    /** @var array<string, string|Response|\RuntimeException> */
    public array $answers;
    /** @var list<string> */
    public array $asked = [];

    public function __construct(array $answers = [])
    {
        $this->answers = $answers;
    }

    public function __invoke(string $url, array $headers): Response
    {
        $this->asked[] = $url . (isset($headers['Cache-Control']) ? ' past caches' : '');
        $answer = $this->answers[$url] ?? new Response(404, '');
        if ($answer instanceof \RuntimeException) {
            throw $answer;
        }
        return \is_string($answer) ? new Response(200, $answer) : $answer;
    }
}

final class TestCache implements Cache
{
    public array $kept = [];

    public function get(string $key): ?string
    {
        return $this->kept[$key] ?? null;
    }

    public function set(string $key, string $value, int $seconds): void
    {
        $this->kept[$key] = $value;
    }
}
