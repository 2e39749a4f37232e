import { boundedText, optionalText } from './bounded.ts';
import type { Ingredient } from './manifest-report.ts';
import { boundedStatuses, isFault, MAX_ITEMS } from './statuses.ts';
import type { ManifestStore, StatusCode, StoredIngredient } from './store.ts';

/** Generations of ingredients that are reported. */
const MAX_DEPTH = 5;

/** What the active manifest was made from, and what that was made from in turn. */
export function ingredientsOf(store: ManifestStore): readonly Ingredient[] {
  return below(store, store.active_manifest, { left: MAX_ITEMS }, MAX_DEPTH);
}

function below(
  store: ManifestStore,
  label: string | undefined,
  budget: { left: number },
  depth: number,
): readonly Ingredient[] {
  if (label === undefined || depth === 0) return [];
  const own = (store.manifests?.[label]?.ingredients ?? []).slice(0, Math.max(0, budget.left));
  budget.left -= own.length;
  return own.map((ingredient) => {
    const ingredients = below(store, ingredient.active_manifest, budget, depth - 1);
    return {
      ...optionalText('title', ingredient.title),
      relationship: boundedText(ingredient.relationship ?? ''),
      failures: boundedStatuses(faultsOf(ingredient)),
      ...(ingredients.length === 0 ? {} : { ingredients }),
    };
  });
}

/** What its signer recorded: in `validation_status` up to version 2 of ingredients, in `validation_results` since. */
function faultsOf({ validation_status: flat, validation_results: results }: StoredIngredient) {
  const deltas = results?.ingredientDeltas ?? [];
  return [
    ...(flat ?? []).filter(isComplaint),
    ...(results?.activeManifest?.failure ?? []),
    ...deltas.flatMap((delta) => delta.validationDeltas?.failure ?? []),
  ].filter(isFault);
}

/** `validation_status` mixes what passed with what did not (C2PA 1.4, 15.2). */
function isComplaint({ code }: StatusCode): boolean {
  return !/\.(validated|match|trusted|insideValidity|accessible|notRevoked|skipped|inaccessible|unknown)$/.test(
    code,
  );
}
