/**
 * Whether the badge's page is shown inside another one, whose address the browser shows instead: `inSite` if that is of
 * another origin, `inPage` if it is of the same. `null`: it is not.
 */
export function framing(): 'inSite' | 'inPage' | null {
  if (window.top === window) return null;
  // Firefox has no `ancestorOrigins`, and an ancestor of another origin does not give its own away
  const { ancestorOrigins } = location as { ancestorOrigins?: Iterable<string> };
  const origins = ancestorOrigins === undefined ? accessibleOrigins() : Array.from(ancestorOrigins);
  return origins?.every((origin) => origin === location.origin) ? 'inPage' : 'inSite';
}

/** `null` if one is not accessible. */
function accessibleOrigins(): string[] | null {
  const origins: string[] = [];
  try {
    for (let frame: Window = window; frame !== frame.parent; frame = frame.parent)
      origins.push(frame.parent.location.origin);
    return origins;
  } catch {
    return null;
  }
}
