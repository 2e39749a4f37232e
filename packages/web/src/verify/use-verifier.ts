import { CannotVerifyError, type ProofKind } from '@touchstone/certificate';
import type { StatusLists } from '@touchstone/certificate/withdrawal';
import type { ImageInspection } from '@touchstone/image/browser';
import { useEffect, useRef, useState } from 'preact/hooks';
import { detectFile, detectText, type Found, type NothingFound } from './detect.ts';
import type { ImageReader } from './image-reader.ts';
import type { DocumentResult, ProofResult } from './judge.ts';
import type { PageResult } from './judge-page.ts';
import { loadIssuers, type OtherIssuer, storeIssuers } from './other-issuers.ts';
import { fetchOwnKeys, type OwnKeys } from './own-keys.ts';
import type { LookAtLog } from './own-log.ts';

/** What is verified: a certificate, a proof or a page. */
export type Subject = Extract<Found, { kind: 'document' | 'proof' | 'page' }>;

export interface Picture {
  readonly bytes: Uint8Array;
  readonly name: string;
}

/** The user's present input. */
export interface Given {
  readonly subject: Subject | null;
  readonly picture: Picture | null;
  /** The latest input, if it cannot be verified. */
  readonly nothing: NothingFound | { readonly address: string } | null;
  /** Pasted keys, not yet assigned to an issuer. */
  readonly keys: unknown;
  /** As typed, or as suggested and confirmed: no address that the input names is taken without being asked about. */
  readonly pageUrl: string;
  /** `pageUrl` was suggested for this subject; it says nothing about the next. */
  readonly isConfirmed: boolean;
  readonly productId: string;
}

export type Result = DocumentResult | ProofResult | PageResult;

export type Outcome =
  | { readonly kind: 'none' | 'judging' }
  | {
      readonly kind: 'judged';
      readonly result: Result;
      readonly at: Date;
      readonly withPicture: boolean;
    }
  /** A code of the texts, or the error as text. */
  | { readonly kind: 'failed'; readonly code: string };

export type PictureOutcome =
  | { readonly kind: 'none' }
  | { readonly kind: 'loading'; readonly bytes: number }
  | { readonly kind: 'reading' }
  | { readonly kind: 'read'; readonly inspection: ImageInspection }
  | { readonly kind: 'failed'; readonly code: string };

/** Milliseconds between two requests for newer keys, whatever certificates are pasted. */
const RENEWED_AT_MOST = 30_000;

const NOTHING_GIVEN: Given = {
  subject: null,
  picture: null,
  nothing: null,
  keys: undefined,
  pageUrl: '',
  isConfirmed: false,
  productId: '',
};

/** The user's input, the trusted keys, and the result. Nothing leaves the browser. */
export function useVerifier(issuers: readonly string[]) {
  const [given, setGiven] = useState(NOTHING_GIVEN);
  const [ownKeys, setOwnKeys] = useState<OwnKeys | 'fetching' | 'missing'>('fetching');
  const [others, setOthers] = useState<readonly OtherIssuer[]>(loadIssuers);
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'none' });
  const [picture, setPicture] = useState<PictureOutcome>({ kind: 'none' });
  /** Shared by all verdicts, since they cache what they fetch. */
  const lists = useRef<StatusLists | null>(null);
  const lookAtLog = useRef<LookAtLog | null>(null);
  const reader = useRef<Promise<ImageReader> | null>(null);
  /** When keys were last fetched again because of a certificate. */
  const renewedAt = useRef(Number.NEGATIVE_INFINITY);

  const openReader = () => {
    reader.current ??= import('./image-reader.ts').then(({ openImageReader }) => openImageReader());
    return reader.current;
  };
  const fetchKeys = () => {
    setOwnKeys('fetching');
    fetchOwnKeys().then(setOwnKeys, () => setOwnKeys('missing'));
  };
  /** Fetches keys again if a certificate may be signed with a newer one, and returns whether there are newer ones. */
  const renewKeys = async (known: Date): Promise<boolean> => {
    if (Date.now() - renewedAt.current < RENEWED_AT_MOST) return false;
    renewedAt.current = Date.now();
    const keys = await fetchOwnKeys().catch(() => null);
    if (keys === null || keys.at <= known) return false;
    setOwnKeys(keys);
    return true;
  };
  useEffect(fetchKeys, []);
  useEffect(() => storeIssuers(others), [others]);

  useEffect(() => {
    if (given.picture === null) return setPicture({ kind: 'none' });
    let isCurrent = true;
    const set = (next: PictureOutcome) => {
      if (isCurrent) setPicture(next);
    };
    const { bytes } = given.picture;
    set({ kind: 'loading', bytes: 0 });
    openReader()
      .then((opened) =>
        opened.inspect(
          bytes,
          (loaded) => set({ kind: 'loading', bytes: loaded }),
          () => set({ kind: 'reading' }),
        ),
      )
      .then(
        (inspection) => set({ kind: 'read', inspection }),
        async (error: unknown) => {
          const { imageFaultOf } = await import('./image-reader.ts');
          set({ kind: 'failed', code: imageFaultOf(error) });
        },
      );
    return () => {
      isCurrent = false;
    };
  }, [given.picture]);

  const isPictureSettled = picture.kind === 'read' || picture.kind === 'failed' || given.picture === null;
  useEffect(() => {
    const { subject } = given;
    if (subject === null) return setOutcome({ kind: 'none' });
    if (ownKeys === 'fetching') return setOutcome({ kind: 'judging' });
    let isCurrent = true;
    // the image is included once it has been read
    const pictureGiven = picture.kind === 'read' && takesImage(subject) ? given.picture : null;
    const work = async (): Promise<Outcome> => {
      if (ownKeys === 'missing' && others.length === 0) return { kind: 'failed', code: 'keys_unavailable' };
      const keys = ownKeys === 'missing' ? [] : [{ issuers, jwks: ownKeys.jwks, fetchedAt: ownKeys.at }];
      const { trustIn } = await import('./trust.ts');
      const trust = trustIn([...keys, ...others]);
      const at = new Date();
      lists.current ??= (await import('./own-lists.ts')).ownStatusLists(issuers);
      lookAtLog.current ??= (await import('./own-log.ts')).ownLog();
      const readManifest = pictureGiven === null ? undefined : (await openReader()).readManifest;
      const result = await judge(subject, given, pictureGiven, {
        trust,
        now: at,
        readManifest,
        lists: lists.current,
        lookAtLog: lookAtLog.current,
      });
      return { kind: 'judged', result, at, withPicture: pictureGiven !== null };
    };
    setOutcome((before) => (before.kind === 'judged' ? before : { kind: 'judging' }));
    work()
      .catch(async (error: unknown): Promise<Outcome> => {
        const code = codeOf(error);
        const isRenewed =
          code === 'keys_unavailable' && ownKeys !== 'missing' && isCurrent && (await renewKeys(ownKeys.at));
        return isRenewed ? { kind: 'judging' } : { kind: 'failed', code };
      })
      .then((next) => {
        if (isCurrent) setOutcome(next);
      });
    return () => {
      isCurrent = false;
    };
  }, [given.subject, given.pageUrl, given.productId, ownKeys, others, isPictureSettled, given.picture]);

  return {
    given,
    ownKeys,
    others,
    outcome,
    picture,
    fetchKeys,
    takeText: (text: string) => setGiven((before) => withFound(before, detectText(text), '')),
    async takeFiles(files: Iterable<File>) {
      for (const file of files) {
        const found = detectFile(new Uint8Array(await file.arrayBuffer()));
        setGiven((before) => withFound(before, found, file.name));
      }
    },
    setPlace: (place: Partial<Pick<Given, 'pageUrl' | 'productId'>>) =>
      setGiven((before) => ({
        ...before,
        ...place,
        isConfirmed: place.pageUrl === undefined && before.isConfirmed,
      })),
    confirmPlace: (pageUrl: string) => setGiven((before) => ({ ...before, pageUrl, isConfirmed: true })),
    remove: (what: 'subject' | 'picture') =>
      setGiven((before) => ({
        ...(what === 'subject' ? withoutConfirmed(before) : before),
        [what]: null,
        nothing: null,
      })),
    clear: () => setGiven(NOTHING_GIVEN),
    trustIssuer(issuer: OtherIssuer) {
      setOthers((before) => [...before.filter((one) => one.issuer !== issuer.issuer), issuer]);
      setGiven((before) => ({ ...before, keys: undefined }));
    },
    distrust: (address: string) => setOthers((before) => before.filter(({ issuer }) => issuer !== address)),
  };
}

export type Verifier = ReturnType<typeof useVerifier>;

/** Adds an input; the others stay, except for the one that it replaces. */
function withFound(before: Given, found: Found, name: string): Given {
  const base = { ...before, nothing: null };
  switch (found.kind) {
    case 'image':
      return { ...base, picture: { bytes: found.bytes, name } };
    case 'keys':
      return { ...base, keys: found.jwks };
    case 'address':
      return { ...base, nothing: { address: found.url } };
    case 'nothing':
      return { ...base, nothing: found.why };
    default:
      return { ...withoutConfirmed(base), subject: found };
  }
}

function withoutConfirmed(given: Given): Given {
  return given.isConfirmed ? { ...given, pageUrl: '', isConfirmed: false } : given;
}

/** A product's proof does not cover image bytes. */
function takesImage(subject: Subject): boolean {
  return subject.kind === 'document' && subject.certificate !== 'product';
}

async function judge(
  subject: Subject,
  { pageUrl: typed, productId: typedId }: Given,
  picture: Picture | null,
  judging: Parameters<typeof import('./judge.ts').judgeDocument>[1],
): Promise<Result> {
  const pageUrl = isWebAddress(typed) ? typed.trim() : undefined;
  const productId = typedId.trim() === '' ? undefined : typedId.trim();
  const place = { pageUrl, productId };
  if (subject.kind === 'page') {
    const { judgeSavedPage, judgeUnplacedPage } = await import('./judge-page.ts');
    const { html, contentType } = subject;
    return pageUrl === undefined
      ? judgeUnplacedPage({ html, contentType, productId }, judging)
      : judgeSavedPage({ html, contentType, pageUrl, productId }, judging);
  }
  const { judgeDocument, judgeProof } = await import('./judge.ts');
  const certificate: ProofKind = subject.certificate;
  if (subject.kind === 'proof') return judgeProof({ jwt: subject.jwt, certificate, place }, judging);
  return judgeDocument({ document: subject.document, certificate, place, image: picture?.bytes }, judging);
}

export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text.trim()) && URL.canParse(text.trim());
}

function codeOf(error: unknown): string {
  if (globalThis.crypto?.subtle === undefined) return 'insecure_page';
  return error instanceof CannotVerifyError ? error.code : String(error);
}
