import { boundedText, optionalText } from './bounded.ts';
import type { Ingredient } from './manifest-report.ts';
import { boundedStatuses, isIntegrityFailure, MAX_ITEMS } from './statuses.ts';
import type { ManifestStore, StatusCode, StoredIngredient } from './store.ts';

/** Maximum generations of ingredients in a report. */
const MAX_DEPTH = 5;

/** The ingredients of the active manifest, with their own ingredients. */
export function ingredientsOf(store: ManifestStore): readonly Ingredient[] {
  return ingredientsAt(store, store.active_manifest, { left: MAX_ITEMS }, MAX_DEPTH);
}

function ingredientsAt(
  store: ManifestStore,
  label: string | undefined,
  budget: { left: number },
  depth: number,
): readonly Ingredient[] {
  if (label === undefined || depth === 0) return [];
  const own = (store.manifests?.[label]?.ingredients ?? []).slice(0, Math.max(0, budget.left));
  budget.left -= own.length;
  return own.map((ingredient) => {
    const ingredients = ingredientsAt(store, ingredient.active_manifest, budget, depth - 1);
    return {
      ...optionalText('title', ingredient.title),
      relationship: boundedText(ingredient.relationship ?? ''),
      failures: boundedStatuses(failuresOf(ingredient)),
      ...(ingredients.length === 0 ? {} : { ingredients }),
    };
  });
}

/** Failures that the signer recorded: in `validation_status` up to version 2 of ingredients, in `validation_results` since. */
function failuresOf({ validation_status: flat, validation_results: results }: StoredIngredient) {
  const deltas = results?.ingredientDeltas ?? [];
  return [
    ...(flat ?? []).filter(isFailure),
    ...(results?.activeManifest?.failure ?? []),
    ...deltas.flatMap((delta) => delta.validationDeltas?.failure ?? []),
  ].filter(isIntegrityFailure);
}

/** Whether an entry of `validation_status`, which also has successes, is a failure (C2PA 1.4, 15.2). */
function isFailure({ code }: StatusCode): boolean {
  return !/\.(validated|match|trusted|insideValidity|accessible|notRevoked|skipped|inaccessible|unknown)$/.test(
    code,
  );
}
