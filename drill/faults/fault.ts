import type { Scene } from './fixture';

/** One line of the table: what had to be true, and whether it was. */
export type Finding = { readonly had: string; readonly seen: boolean; readonly note?: string };

/** One thing that happens to the surroundings of the running service. */
export type Fault = {
  readonly name: string;
  /** What is done, in words. */
  readonly done: string;
  /** Leaves the service whole: everything that it broke it mends, also when it throws. */
  readonly run: (scene: Scene) => Promise<readonly Finding[]>;
};

/** The finding that a list of objections is empty; the first ones are its note. */
export const none = (had: string, objections: readonly string[]): Finding => ({
  had,
  seen: objections.length === 0,
  ...(objections.length === 0 ? {} : { note: objections.slice(0, 3).join('; ') }),
});
