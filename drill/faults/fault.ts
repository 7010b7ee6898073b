import type { Scene } from './fixture';

/**
 * One line of the table of results. `had` is the requirement in words, and `seen` shows whether the service met the requirement.
 */
export type Finding = { readonly had: string; readonly seen: boolean; readonly note?: string };

export type Fault = {
  readonly name: string;
  /** The fault in words. */
  readonly done: string;
  /** Causes the fault and checks the requirements. Always repairs everything that the fault broke. */
  readonly run: (scene: Scene) => Promise<readonly Finding[]>;
};

/** The requirement is met if `objections` is empty. The note has the first three objections. */
export const none = (had: string, objections: readonly string[]): Finding => ({
  had,
  seen: objections.length === 0,
  ...(objections.length === 0 ? {} : { note: objections.slice(0, 3).join('; ') }),
});
