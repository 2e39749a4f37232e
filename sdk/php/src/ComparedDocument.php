<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** A document under the names by which its members were issued, and how it differs from the one issued. */
final class ComparedDocument
{
    private const INNER = ['@nest', '@included', '@graph', '@reverse'];
    /** Documents that we issue have six levels. */
    private const MAX_DEPTH = 64;
    /** Members of a document, and ids within it: more would keep whoever verifies a hostile one busy for long. */
    private const MAX_MEMBERS = 1000;
    private const MAX_IDS = 5000;

    /** @readonly */
    public JsonObject $document;
    /** Its first member that differs: what was issued, and what was found. @var array{string, string}|null @readonly */
    public ?array $altered = null;
    /** @readonly */
    public bool $isContextForeign = false;
    private DocumentForm $form;
    private DocumentContext $context;
    private string $namespace;

    /** It is left as it is if the signature is not valid, or the proof is from before proofs bound members. */
    public function __construct(JsonObject $document, Proof $proof, string $signature, string $kind)
    {
        $this->document = $document;
        $namespace = $proof->claim('namespace');
        $digests = $proof->claim('members');
        $isBound = $signature === 'ok' && $proof->typ === Claims::TYPES[$kind];
        if (!$isBound || !\is_string($namespace) || !Claims::areDigests($digests)) {
            return;
        }
        $this->namespace = $namespace;
        $this->form = new DocumentForm($kind);
        $this->context = new DocumentContext($document->get('@context'), $namespace);
        if (!$this->context->isOurs) {
            $this->differs('@context of schema.org, with svc for ' . $namespace, $document->get('@context'));
            return;
        }
        $this->isContextForeign = $this->context->isForeign;
        if (\count($document->members) > self::MAX_MEMBERS) {
            $this->differs('at most ' . self::MAX_MEMBERS . ' members', $document);
        } else {
            $this->document = new JsonObject($this->named());
            $this->compareTerms();
            $this->compareIds($document, Text::describe($proof->claim('url')));
        }
        $this->compareFixed($proof);
        $this->compareDigests($digests);
    }

    /**
     * Only the first is told.
     *
     * @param mixed $actual
     */
    private function differs(string $expected, $actual): void
    {
        $this->altered ??= [$expected, Text::describe($actual)];
    }

    /** @return array<array-key, mixed> */
    private function named(): array
    {
        $named = [];
        foreach ($this->document->names() as $spelling) {
            $value = $this->document->get($spelling);
            $name = $this->context->nameOf($spelling);
            if (!isset($named[$name])) {
                $named[$name] = $value;
            } elseif ($name === '@type') {
                $named[$name] = \array_merge(DocumentContext::listed($named[$name]), DocumentContext::listed($value));
            } elseif ($this->altered === null && $value !== null && $this->form->isOurs($name)) {
                $text = CanonicalJson::of($named[$name], $this->namespace);
                if ($text === null || $text !== CanonicalJson::of($value, $this->namespace)) {
                    $this->differs('one ' . Text::shown($name), $value);
                }
            }
            if (\in_array($name, self::INNER, true)) {
                $adds = function (string $inner) use ($name): bool {
                    $member = $this->context->nameOf($inner);
                    return $this->form->isOurs($member) || $member === '@context' || ($member === '@id' && $name === '@nest');
                };
                if (self::hasMember($value, $adds)) {
                    $this->differs('no members in ' . $name, $value);
                }
            }
        }
        return $named;
    }

    /** Whether the context gives a name that our members use another meaning. */
    private function compareTerms(): void
    {
        if ($this->context->terms === []) {
            return;
        }
        $ours = [];
        foreach ($this->document->names() as $name) {
            if ($this->form->isOurs($name)) {
                $ours[$name] = $this->document->get($name);
            }
        }
        $text = CanonicalJson::of(new JsonObject($ours), $this->namespace);
        $isUsed = function (string $name) use ($text): bool {
            $quoted = Text::quoted($name);
            return \strncmp($name, '@', 1) === 0 || $name === $this->form->type || $this->form->isOurs($name)
                || $text === null || ($quoted !== null && \strpos($text, $quoted) !== false);
        };
        foreach (\array_map('strval', \array_keys($this->context->terms)) as $term) {
            $before = $this->context->issuedName($term);
            $after = $this->context->nameOf($term);
            if ($this->context->changesValues ? $isUsed($before) || $isUsed($after) : $before !== $after && $isUsed($before)) {
                $this->differs('@context without ' . Text::shown($term), $this->document->get('@context'));
            }
        }
    }

    /** Whether an object among the members of others states something about the @id of the document. */
    private function compareIds(JsonObject $document, string $url): void
    {
        $id = $this->document->get('@id');
        if ($id === null) {
            return;
        }
        $self = null;
        $ids = 0;
        $restates = function (string $inner, $value, JsonObject $object) use ($id, $url, &$self, &$ids): bool {
            $name = $this->context->nameOf($inner);
            if ($name === '@context') {
                return DocumentContext::withoutSchemaOrg($value) !== '';
            }
            if ($this->context->changesValues || $name === '@reverse') {
                return true;
            }
            if ($name !== '@id' || !\is_string($value)) {
                return false;
            }
            $self ??= $this->idOf($id, $url);
            return (++$ids > self::MAX_IDS || $this->idOf($value, $url) === $self) && !$this->isReference($object);
        };
        foreach ($document->names() as $name) {
            $issued = $this->context->nameOf($name);
            $isOther = !$this->form->isOurs($issued) && \strncmp($issued, '@', 1) !== 0;
            if ($isOther && self::hasMember($document->get($name), $restates)) {
                $this->differs('no other object with its @id', $id);
                return;
            }
        }
    }

    /** @param mixed $text */
    private function idOf($text, string $url): string
    {
        $iri = \is_string($text) ? $this->context->withoutPrefix($text) : '';
        $address = Address::resolve($iri, $url);
        return $address === null ? Address::withoutWhiteSpace($iri) : $address->text();
    }

    private function isReference(JsonObject $object): bool
    {
        foreach ($object->names() as $name) {
            if (!\in_array($this->context->nameOf($name), ['@id', '@type'], true)) {
                return false;
            }
        }
        return true;
    }

    /** Compares what has a fixed value, follows from the proof, or may have a fixed set of names. */
    private function compareFixed(Proof $proof): void
    {
        $types = DocumentContext::listed($this->document->get('@type') ?? $this->form->type);
        $isOfType = fn ($one): bool => $one === $this->form->type || DocumentContext::withoutSchemaOrg($one) === $this->form->type;
        if (\array_filter($types, $isOfType) === []) {
            $this->differs('@type ' . $this->form->type, $types);
        }
        // a wrong type of svc:issuedFor is told by the comparison with the claims
        $issued = $this->document->get('svc:issuedFor');
        foreach ($issued instanceof JsonObject ? $issued->names() : [] as $name) {
            if (!\in_array($name, $this->form->issuedFor, true)) {
                $this->differs('no ' . Text::shown($name) . ' in svc:issuedFor', $issued->get($name));
                break;
            }
        }
        $block = $this->document->get('proof');
        foreach ($block instanceof JsonObject ? $block->names() : [] as $name) {
            if ($name === 'jwt' || $block->get($name) === null) {
                continue;
            }
            $fixed = $this->form->proofMembers[$name] ?? null;
            if ($fixed === '') {
                $fixed = Trust::jwksUrl(Text::describe($proof->claim('iss'))) . '#' . $proof->kid;
            }
            if ($block->get($name) !== $fixed) {
                $this->differs('proof.' . Text::shown($name) . ' as it was issued', $block->get($name));
                break;
            }
        }
    }

    /** Members may be left out, and others may add members under names that are not ours. */
    private function compareDigests(JsonObject $digests): void
    {
        if ($this->altered !== null) {
            return;
        }
        $isOwn = fn (string $name): bool => \strncmp($name, 'svc:', 4) === 0 && $name !== DocumentForm::LOG_PROOF
            && !\in_array($name, $this->form->repeated, true);
        $own = \array_filter($this->document->names(), $isOwn);
        foreach (\array_unique(\array_merge($digests->names(), $this->form->digested, $own)) as $name) {
            $member = DocumentForm::member($this->document, $name);
            if ($member === null) {
                continue;
            }
            $text = $digests->has($name) ? CanonicalJson::of($member, $this->namespace) : null;
            if ($text === null || Base64url::encode(\hash('sha256', $text, true)) !== $digests->get($name)) {
                $this->differs($digests->has($name) ? Text::shown($name) . ' as it was issued' : 'no ' . Text::shown($name), $member);
                return;
            }
        }
    }

    /**
     * Whether this is true of a member of an object in this value, at any depth; true for one nested too deeply.
     *
     * @param mixed $value
     * @param callable(string, mixed, JsonObject): bool $test
     */
    private static function hasMember($value, callable $test, int $depth = 0): bool
    {
        $isObject = $value instanceof JsonObject;
        if (!$isObject && !\is_array($value)) {
            return false;
        }
        if ($depth > self::MAX_DEPTH) {
            return true;
        }
        foreach ($isObject ? $value->members : $value as $name => $member) {
            if (($isObject && $test((string) $name, $member, $value)) || self::hasMember($member, $test, $depth + 1)) {
                return true;
            }
        }
        return false;
    }
}
