<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** The keys of one service. They verify proofs of these issuers and of no other. */
final class IssuerKeys
{
    /** @var list<string> @readonly */
    public array $issuers;
    /** @var mixed @readonly */
    public $jwks;
    /** @readonly */
    public ?\DateTimeInterface $fetchedAt;
    /** @readonly */
    public ?string $jwksUrl;

    /**
     * @param list<string> $issuers its base address, and those that share its keys only because they are named here
     * @param mixed $jwks the text of the key set, or what Json::parse() or json_decode() made of it; null: it is fetched
     * @param ?\DateTimeInterface $fetchedAt when it was read from its issuer. If a proof issued later is signed with an unknown key, there
     *   is no verdict (`keys_unavailable`). Null: unknown, and an unknown key is a failed check
     * @param ?string $jwksUrl default: that of the first issuer
     */
    public function __construct(array $issuers, $jwks = null, ?\DateTimeInterface $fetchedAt = null, ?string $jwksUrl = null)
    {
        $this->issuers = self::addresses($issuers);
        $this->jwks = $jwks;
        $this->fetchedAt = $fetchedAt;
        $this->jwksUrl = $jwksUrl;
    }

    /**
     * Base addresses as proofs write them, each once.
     *
     * @param array<array-key, mixed> $named
     * @return list<string>
     */
    public static function addresses(array $named): array
    {
        $addresses = [];
        foreach ($named as $one) {
            if (!\is_string($one)) {
                throw new \InvalidArgumentException("Issuers must be addresses, such as 'https://certificates.example'.");
            }
            $addresses[] = \rtrim(\trim($one), '/');
        }
        // an unset setting, split at commas, gives one empty text
        return \array_values(\array_filter(\array_unique($addresses), static fn (string $one): bool => $one !== ''));
    }

    /**
     * One for each set: those given, and one for each trusted issuer that none of them names.
     *
     * @param list<string> $issuers
     * @param list<self> $keys
     * @return list<self>
     */
    public static function all(array $issuers, array $keys): array
    {
        $named = [];
        foreach ($keys as $one) {
            foreach ($one->issuers as $issuer) {
                if (!\in_array($issuer, $issuers, true) || \in_array($issuer, $named, true)) {
                    throw new \InvalidArgumentException('Keys must name trusted issuers, each of them once: ' . $issuer);
                }
                $named[] = $issuer;
            }
        }
        $all = \array_filter($keys, static fn (self $one): bool => $one->issuers !== []);
        foreach (\array_diff($issuers, $named) as $issuer) {
            $all[] = new self([$issuer]);
        }
        return \array_values($all);
    }
}
