<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** A proof taken apart. A header that is none leaves the claims readable, and the other way round. */
final class Proof
{
    private const MAX_LENGTH = 8192;

    /** `ok`, or why the signature cannot be checked. @readonly */
    public string $fault = 'proof_malformed';
    /** `ok`, or why there are no claims. @readonly */
    public string $claimsFault = 'proof_malformed';
    /** @readonly */
    public ?JsonObject $claims = null;
    /** Set if `fault` is ok. @readonly */
    public string $kid = '';
    /** The member `typ` of the header, of any type. @readonly */
    public $typ = null;
    private string $signature = '';
    private string $signed = '';

    /** @param mixed $token */
    public function __construct($token)
    {
        if (!\is_string($token)) {
            return;
        }
        if (Text::length($token) > self::MAX_LENGTH) {
            $this->fault = $this->claimsFault = 'proof_too_large';
            return;
        }
        $parts = \array_map([Base64url::class, 'decode'], \explode('.', $token, 4));
        if (\count($parts) !== 3 || \in_array(null, $parts, true) || $parts[2] === '') {
            return;
        }
        $this->signature = $parts[2];
        $this->signed = \substr($token, 0, (int) \strrpos($token, '.'));
        $header = Json::strictObject($parts[0]);
        $this->fault = self::headerFault($header);
        $this->typ = $header === null ? null : $header->get('typ');
        $this->kid = $this->fault === 'ok' && $header !== null ? $header->get('kid') : '';
        $this->claims = Json::strictObject($parts[1]);
        $this->claimsFault = $this->claims === null ? 'claims_unreadable' : 'ok';
    }

    /** `ok`, or why the header of a JWS by RS256 is none of ours. */
    public static function headerFault(?JsonObject $header): string
    {
        if ($header === null) {
            return 'proof_malformed';
        }
        if ($header->get('alg') !== 'RS256') {
            return 'algorithm_not_allowed';
        }
        if (\array_diff($header->names(), ['alg', 'kid', 'typ']) !== []) {
            return 'header_not_allowed';
        }
        return \is_string($header->get('kid')) && $header->get('kid') !== '' ? 'ok' : 'kid_missing';
    }

    /** The reason of signatureValid. */
    public function signatureBy(KeySet $keys): string
    {
        if ($this->fault !== 'ok') {
            return $this->fault;
        }
        $key = $keys->find($this->kid);
        if (\is_string($key)) {
            return $key;
        }
        return $key->verifies($this->signature, $this->signed) ? 'ok' : 'signature_mismatch';
    }

    /**
     * A claim; null also if there is none.
     *
     * @return mixed
     */
    public function claim(string $name)
    {
        return $this->claims === null ? null : $this->claims->get($name);
    }
}
