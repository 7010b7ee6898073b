import type { Scene } from './fixture';

/** One line of the table. `had` is the requirement, and `seen` tells whether it was met. */
export type Finding = { readonly had: string; readonly seen: boolean; readonly note?: string };

/** One fault in the surroundings of the running service. */
export type Fault = {
  readonly name: string;
  /** The fault in words. */
  readonly done: string;
  /** Causes the fault and checks the requirements. Repairs everything that the fault broke, even if a check throws. */
  readonly run: (scene: Scene) => Promise<readonly Finding[]>;
};

/** A requirement that is met if there are no objections. The first three objections become the note of the finding. */
export const none = (had: string, objections: readonly string[]): Finding => ({
  had,
  seen: objections.length === 0,
  ...(objections.length === 0 ? {} : { note: objections.slice(0, 3).join('; ') }),
});
