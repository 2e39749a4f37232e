<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** The public keys of one service (RFC 7517). Whatever is in a set, it can be asked. */
final class KeySet
{
    /** @var array<array-key, list<JsonObject>> */
    private array $byKid = [];
    /** @var array<array-key, RsaKey|string> */
    private array $found = [];
    private string $otherwise;
    /** From when on proofs must have a place in a status list; null: never. Of a set of keys of status lists. @readonly */
    public ?float $claimRequiredFrom = null;
    /** @readonly */
    public bool $isEmpty = true;

    /**
     * @param mixed $jwks the text of a JWKS, or what Json::parse() or json_decode() made of it
     */
    public function __construct($jwks, string $otherwise = 'key_unknown')
    {
        $this->otherwise = $otherwise;
        try {
            $jwks = \is_string($jwks) ? Json::parse($jwks) : Json::of($jwks);
        } catch (JsonFault $fault) {
            $jwks = null;
        }
        if (!($jwks instanceof JsonObject)) {
            return;
        }
        $from = $jwks->get('claim_required_from');
        $this->claimRequiredFrom = Claims::isWhole($from) ? $from : null;
        $keys = $jwks->get('keys');
        $this->isEmpty = !\is_array($keys) || $keys === [];
        foreach (\is_array($keys) ? $keys : [] as $key) {
            if ($key instanceof JsonObject && \is_string($key->get('kid'))) {
                $this->byKid[$key->get('kid')][] = $key;
            }
        }
    }

    /** A set in which nothing is found, for this reason. */
    public static function without(string $reason): self
    {
        return new self(null, $reason);
    }

    /** @return RsaKey|string the key of this name, or the reason why there is none to use */
    public function find(string $kid)
    {
        $named = $this->byKid[$kid] ?? [];
        if (\count($named) !== 1) {
            return $named === [] ? $this->otherwise : 'key_ambiguous';
        }
        return $this->found[$kid] ??= RsaKey::of($named[0]) ?? 'key_unsuitable';
    }
}
