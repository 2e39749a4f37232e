const BYLINES: readonly RegExp[] = [
  /^visit the (.{2,60}) store$/iu,
  /^besuche(?:n sie)? den (.{2,60}?)[- ]store$/iu,
  /^visiter la boutique (.{2,60})$/iu,
  /^visita lo store di (.{2,60})$/iu,
  /^visita la (?:store|tienda) de (.{2,60})$/iu,
  /^visite a loja (.{2,60})$/iu,
  /^bezoek de (.{2,60})-store$/iu,
  /^(?:shop all|more from|see all from|all products (?:from|by)|mehr von|alle produkte von|voir tous les produits) (.{2,40})$/iu,
];

/** Extracts the name from a line such as `Visit the … store`, which may also follow a brand label. */
export function bylineName(text: string): string | undefined {
  for (const pattern of BYLINES) {
    const name = pattern.exec(text.trim())?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}
