<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** What was submitted as a certificate: one node with its proof, or why it was dropped. */
final class Submitted
{
    /** Bytes; more would take more memory than PHP usually has. */
    private const MAX_LENGTH = 1048576;

    /** @readonly */
    public ?JsonObject $node = null;
    /** @readonly */
    public ?string $jwt = null;
    /** @readonly */
    public ?string $dropped = null;

    /** @param mixed $document null: nothing; a text is parsed; anything else is what Json::parse() or json_decode() returned */
    public function __construct($document)
    {
        if ($document === null) {
            return;
        }
        try {
            if (\is_string($document) && \strlen($document) > self::MAX_LENGTH) {
                throw new JsonFault('It is too long.');
            }
            $node = \is_string($document) ? Json::parse($document) : Json::of($document);
        } catch (JsonFault $fault) {
            $this->dropped = 'document_not_json';
            return;
        }
        if (!($node instanceof JsonObject) || $node->has('@graph')) {
            $this->dropped = 'document_not_single_node';
            return;
        }
        $proof = $node->get('proof');
        $jwt = $proof instanceof JsonObject ? $proof->get('jwt') : null;
        if (!\is_string($jwt)) {
            $this->dropped = 'proof_absent';
            return;
        }
        $this->node = $node;
        $this->jwt = $jwt;
    }

    /** The proof; null if nothing signed was submitted. */
    public function proof(): ?Proof
    {
        return $this->jwt === null ? null : new Proof($this->jwt);
    }
}
