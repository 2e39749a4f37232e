<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** Which members of a certificate are ours, by its kind (docs/format.md, section 4). */
final class DocumentForm
{
    /** Made after the proof, which does not bind it. */
    public const LOG_PROOF = 'svc:logProof';
    private const MEDIA_ID = 'svc:issuedFor.mediaID';
    private const OF_IMAGE = [self::MEDIA_ID, 'encodingFormat', 'width', 'height', 'svc:status', 'verification'];
    private const ISSUED_FOR_IMAGE = ['domain', 'assetId', 'mediaID', 'productID', 'url'];
    private const SIGNATURE = ['type' => 'JsonWebSignature2020', 'algorithm' => 'RS256'];

    /** @readonly */
    public string $type;
    /** Members that repeat claims. @var list<string> @readonly */
    public array $repeated;
    /** Names within svc:issuedFor. @var list<string> @readonly */
    public array $issuedFor;
    /** Members that have digests. @var list<string> @readonly */
    public array $digested;
    /** Members of the proof; '' stands for the address of the key. @var array<string, string> @readonly */
    public array $proofMembers;

    public function __construct(string $kind)
    {
        $isProduct = $kind === 'product';
        $isAsset = $kind === 'asset';
        $this->type = ['product' => 'Product', 'asset' => 'ImageObject', 'image' => 'MediaObject'][$kind];
        $this->issuedFor = $isProduct ? ['domain', 'productID'] : self::ISSUED_FOR_IMAGE;
        if ($isProduct) {
            $this->repeated = ['productID', 'url', 'svc:issuedFor', 'svc:trust'];
            $this->digested = ['svc:status', 'svc:record', 'svc:images', 'additionalProperty', 'verification'];
            $this->proofMembers = self::SIGNATURE;
        } elseif ($isAsset) {
            $this->repeated = ['contentUrl', 'svc:issuedFor'];
            $this->digested = \array_merge(self::OF_IMAGE, ['uploadDate', 'svc:contentCredentials', 'svc:nft']);
            $this->proofMembers = self::SIGNATURE + ['proofPurpose' => 'assertionMethod', 'verificationMethod' => ''];
        } else {
            $this->repeated = ['contentUrl', 'imageId', 'svc:issuedFor'];
            $this->digested = \array_merge(self::OF_IMAGE, ['contentCredentials', 'cryptographicProof']);
            $this->proofMembers = ['type' => 'JwtProof2020'];
        }
    }

    public function isOurs(string $name): bool
    {
        return (\strncmp($name, 'svc:', 4) === 0 && $name !== self::LOG_PROOF) || $name === 'proof'
            || \in_array($name, $this->repeated, true) || \in_array($name, $this->digested, true);
    }

    /**
     * The member that a digest is of; null also if there is none.
     *
     * @return mixed
     */
    public static function member(JsonObject $document, string $name)
    {
        if ($name !== self::MEDIA_ID) {
            return $document->get($name);
        }
        $issuedFor = $document->get('svc:issuedFor');
        return $issuedFor instanceof JsonObject ? $issuedFor->get('mediaID') : null;
    }
}
