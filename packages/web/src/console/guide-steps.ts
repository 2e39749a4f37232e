import type { SetupStep, StoreSetup } from '@touchstone/contract';

/** State of one step of the guide. `now`: the next step to take. */
export interface GuideStep {
  readonly step: SetupStep;
  readonly state: 'done' | 'under_way' | 'problem' | 'now' | 'later';
}

/** The steps in order; the next one that is not done is `now`, unless it is under way or has a problem. */
export function guideSteps(setup: Pick<StoreSetup, 'steps' | 'next'>): GuideStep[] {
  return setup.steps.map(({ step, state }) => ({
    step,
    state: state === 'open' ? (step === setup.next ? 'now' : 'later') : state,
  }));
}

/** The step to show: the one in the address, else the next one, else the last. */
export function shownStep(setup: Pick<StoreSetup, 'steps' | 'next'>, asked: string | undefined): SetupStep {
  const found = setup.steps.find(({ step }) => step === asked)?.step;
  return found ?? setup.next ?? setup.steps.at(-1)?.step ?? 'store';
}

/** The following step; `undefined` after the last. */
export function stepAfter(setup: Pick<StoreSetup, 'steps'>, step: SetupStep): SetupStep | undefined {
  const index = setup.steps.findIndex((one) => one.step === step);
  return setup.steps[index + 1]?.step;
}
