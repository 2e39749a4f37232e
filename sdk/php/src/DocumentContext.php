<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** What the @context of a document says about names (JSON-LD 1.1), as far as it is known without a request. */
final class DocumentContext
{
    private const MAX_TERMS = 100;
    private const MAX_PARTS = 100;
    private const MAX_IRI = 500;
    private const SCHEMA_ORG = '/^(schema:|https?:\/\/(www\.)?schema\.org\/?(docs\/jsonldcontext\.json(ld)?$)?)/D';

    /** Whether names mean what they did when we issued the document. @readonly */
    public bool $isOurs = true;
    /** Whether it names a remote context other than schema.org's. @readonly */
    public bool $isForeign = false;
    /** Whether it changes what values mean. @readonly */
    public bool $changesValues = false;
    /** What is meant by each term. @var array<array-key, string> @readonly */
    public array $terms = [];
    private string $namespace;
    /** What definitions refer to: to define it afterwards would change them. @var array<array-key, true> */
    private array $referred = [];

    /** @param mixed $stated */
    public function __construct($stated, string $namespace)
    {
        $this->namespace = $namespace;
        $parts = self::listed($stated ?? 'https://schema.org');
        $this->isOurs = \count($parts) <= self::MAX_PARTS;
        $hasSchemaOrg = false;
        foreach ($parts as $entry) {
            if (!$this->isOurs) {
                break;
            }
            if (self::withoutSchemaOrg($entry) === '') {
                $hasSchemaOrg = true;
            } elseif (\is_string($entry)) {
                $this->isForeign = true;
            } elseif ($entry instanceof JsonObject) {
                foreach ($entry->names() as $name) {
                    if ($this->isOurs) {
                        $this->define($name, $entry->get($name));
                        $hasSchemaOrg = $hasSchemaOrg || $name === '@vocab';
                    }
                }
            } else {
                $this->isOurs = false;
            }
        }
        $this->isOurs = $this->isOurs && $hasSchemaOrg;
    }

    /** @param mixed $definition */
    private function define(string $name, $definition): void
    {
        if ($name === 'svc') {
            $this->isOurs = $definition === $this->namespace;
        } elseif ($name === '@vocab' || $name === 'schema') {
            $this->isOurs = self::withoutSchemaOrg($definition) === '';
        } elseif ($name === '@base') {
            $this->changesValues = true;
        } elseif (\strncmp($name, '@', 1) === 0) {
            $this->isOurs = $name !== '@import' && $name !== '@propagate';
        } else {
            $this->term($name, $definition instanceof JsonObject ? $definition : new JsonObject(['@id' => $definition]));
        }
    }

    private function term(string $name, JsonObject $definition): void
    {
        $id = $definition->has('@id') ? $definition->get('@id') : $name;
        $target = \is_string($id) ? $id : '';
        $known = $target === $name ? '' : $this->terms[$target] ?? '';
        $iri = $known !== '' ? $known : $this->withoutPrefix($target);
        $this->isOurs = !isset($this->referred[$name]) && ($this->terms[$name] ?? $iri) === $iri
            && !$definition->has('@context') && !$definition->has('@reverse') && ($id === null || $target === $id)
            && \count($this->terms) < self::MAX_TERMS && Text::length($iri) <= self::MAX_IRI;
        $this->changesValues = $this->changesValues || \array_diff($definition->names(), ['@id', '@prefix']) !== [];
        $this->terms[$name] = $iri;
        if ($target !== $name) {
            $this->referred[$target] = true;
        }
        $this->referred[\explode(':', $target, 2)[0]] = true;
    }

    /** A name with the prefix, if it has one that is defined, written out. */
    public function withoutPrefix(string $text): string
    {
        for ($colon = \strpos($text, ':'); $colon !== false; $colon = \strpos($text, ':', $colon + 1)) {
            if (\substr($text, $colon + 1, 2) !== '//') {
                $start = $this->terms[\substr($text, 0, $colon)] ?? null;
                return $start === null ? $text : $start . \substr($text, $colon + 1);
            }
        }
        return $text;
    }

    /** The name under which a member was issued; that of anything else is none of ours. */
    public function nameOf(string $name): string
    {
        return $this->issuedName($this->terms === [] ? $name : $this->terms[$name] ?? $this->withoutPrefix($name));
    }

    /** The same without the terms of the document. */
    public function issuedName(string $iri): string
    {
        if (\strncmp($iri, 'svc:', 4) === 0 || (\strpos($iri, ':') === false && $iri !== 'type' && $iri !== 'id')) {
            return $iri;
        }
        $bare = self::bare($iri);
        $own = self::bare($this->namespace);
        if ($iri !== $bare && $own !== '' && \strncmp($bare, $own, \strlen($own)) === 0) {
            return 'svc:' . \substr($bare, \strlen($own));
        }
        $short = self::withoutSchemaOrg($iri) ?? $iri;
        // aliases of keywords in schema.org's context
        return $short === 'type' || $short === 'id' ? '@' . $short : $short;
    }

    private static function bare(string $iri): string
    {
        return (string) \preg_replace('/^https?:/', '', $iri);
    }

    /**
     * What follows schema.org's address or prefix; null for a name of others.
     *
     * @param mixed $name
     */
    public static function withoutSchemaOrg($name): ?string
    {
        return \is_string($name) && \preg_match(self::SCHEMA_ORG, $name, $found) === 1 ? \substr($name, \strlen($found[0])) : null;
    }

    /**
     * @param mixed $value
     * @return list<mixed>
     */
    public static function listed($value): array
    {
        return \is_array($value) ? $value : [$value];
    }
}
