<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/**
 * The status lists of one set of keys, as they were last read. Each is used for its `ttl`; one that could not be had is not requested
 * again for 30 s.
 */
final class HeldLists
{
    private const FAILURE = 30000;
    private const MAX_FETCHED = 64;

    /** @var callable(\DateTimeInterface, ?string, mixed): ?KeySet */
    private $keys;
    /** @var ?callable(string, array<string, string>): Response */
    private $fetch;
    private ?Cache $cache;
    /** By address: the list, since when it is current (milliseconds), whether it was given. @var array<string, array{StatusList, int, bool}> */
    private array $held = [];
    /** By address. @var array<string, array{string, int}> */
    private array $failures = [];
    /** Given tokens that were not read yet. @var list<string> */
    private array $unread;
    /** @var array<string, true> */
    private array $loaded = [];

    /** @param list<string> $prefetched */
    public function __construct(callable $keys, ?callable $fetch, ?Cache $cache, array $prefetched)
    {
        $this->keys = $keys;
        $this->fetch = $fetch;
        $this->cache = $cache;
        $this->unread = $prefetched;
    }

    /** @return StatusList|string the list, or the reason why there is none */
    public function at(string $uri, \DateTimeInterface $now)
    {
        $moment = RemoteKeySet::milliseconds($now);
        $this->readGiven($now);
        $this->load($uri, $now);
        [$list, $currentAt] = $this->held[$uri] ?? [null, 0];
        $isFresh = $list !== null && \abs($moment - $currentAt) < $list->ttl * 1000 && $list->timeFault($now->getTimestamp()) === null;
        $failedAt = $this->failures[$uri][1] ?? null;
        $isAsked = $failedAt !== null && \abs($moment - $failedAt) < self::FAILURE;
        if ($this->fetch !== null && !$isFresh && !$isAsked) {
            $this->refetch($uri, $now, $moment);
        }
        $list = $this->held[$uri][0] ?? null;
        if ($list === null) {
            return $this->failures[$uri][0] ?? 'status_list_unreachable';
        }
        return $list->timeFault($now->getTimestamp()) ?? $list;
    }

    /** A list that is past its lifetime: what it calls invalid stays so. */
    public function endedAt(string $uri, \DateTimeInterface $now): ?StatusList
    {
        $list = $this->held[$uri][0] ?? null;
        return $list !== null && $list->timeFault($now->getTimestamp()) === 'status_list_expired' ? $list : null;
    }

    /** A list that revokes this key. */
    public function revoking(string $kid, \DateTimeInterface $now): ?StatusList
    {
        $this->readGiven($now);
        foreach ($this->held as [$list]) {
            if (\in_array($kid, $list->revokedKids, true) && $list->timeFault($now->getTimestamp()) !== 'status_list_not_yet_valid') {
                return $list;
            }
        }
        return null;
    }

    /** From when on a newer one is looked for, in seconds since 1970. */
    public function nextLook(StatusList $list): float
    {
        if ($this->fetch === null) {
            return $list->expiresAt;
        }
        $failedAt = $this->failures[$list->uri][1] ?? null;
        $next = $this->held[$list->uri][1] + $list->ttl * 1000;
        return \floor(($failedAt === null ? $next : \max($next, $failedAt + self::FAILURE)) / 1000);
    }

    private function readGiven(\DateTimeInterface $now): void
    {
        $left = [];
        foreach ($this->unread as $token) {
            $uri = StatusList::statedUri($token);
            $list = $uri === null ? '' : $this->read($token, $uri, $now);
            if ($list instanceof StatusList) {
                unset($this->failures[$list->uri]);
                $this->keep($list, (int) ($list->issuedAt * 1000), true);
            } elseif ($uri !== null) {
                $this->failures[$uri] = [$list, \PHP_INT_MIN];
                $left[] = $token;
            }
        }
        $this->unread = $left;
    }

    private function refetch(string $uri, \DateTimeInterface $now, int $moment): void
    {
        $token = null;
        try {
            $response = ($this->fetch)($uri, ['Accept' => 'application/statuslist+jwt']);
            $isTooLarge = \strlen($response->body) > RemoteKeySet::MAX_BYTES;
            $isAnswer = $response->status >= 200 && $response->status < 300;
            $token = $isAnswer && !$isTooLarge ? $response->body : null;
            $list = $token !== null ? $this->read($token, $uri, $now) : ($isAnswer ? 'status_list_too_large' : 'status_list_unreachable');
        } catch (\RuntimeException $error) {
            $list = 'status_list_unreachable';
        }
        unset($this->failures[$uri]);
        if (!($list instanceof StatusList)) {
            $this->failures[$uri] = [$list, $moment];
            return;
        }
        $this->keep($list, $moment, false);
        if ($this->cache !== null && $token !== null && $this->held[$uri][0] === $list) {
            // past its end for what it calls invalid
            $this->cache->set('list ' . $uri, $moment . ' ' . $token, 604800);
        }
    }

    /** What an earlier request fetched; its signature is checked again. */
    private function load(string $uri, \DateTimeInterface $now): void
    {
        $kept = $this->cache === null || isset($this->loaded[$uri]) ? null : $this->cache->get('list ' . $uri);
        $this->loaded[$uri] = true;
        [$moment, $token] = $kept === null ? ['', ''] : \explode(' ', $kept, 2) + [1 => ''];
        $issued = new \DateTimeImmutable('@' . \intdiv((int) $moment, 1000));
        // as of then, so that one that has ended is still known
        $list = $token === '' ? '' : $this->read($token, $uri, $issued);
        if ($list instanceof StatusList) {
            $this->keep($list, (int) $moment, false);
        }
    }

    /** @return StatusList|string */
    private function read(string $token, string $uri, \DateTimeInterface $now)
    {
        $keysFor = fn (string $kid, $issuedAt): ?KeySet => ($this->keys)($now, $kid, $issuedAt);
        return StatusList::read($token, $keysFor, $uri, $now->getTimestamp());
    }

    /** The newer of two lists. */
    private function keep(StatusList $list, int $currentAt, bool $isGiven): void
    {
        $known = $this->held[$list->uri] ?? null;
        unset($this->held[$list->uri]);
        $isOlder = $known !== null && $known[0]->issuedAt > $list->issuedAt;
        $this->held[$list->uri] = [$isOlder ? $known[0] : $list, $currentAt, $isGiven || ($known !== null && $known[2])];
        $fetched = \array_filter($this->held, static fn (array $one): bool => !$one[2]);
        if (\count($fetched) > self::MAX_FETCHED) {
            unset($this->held[\array_keys($fetched)[0]]);
        }
    }
}
