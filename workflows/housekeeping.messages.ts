import type { HousekeepingDuty } from '../domain/housekeeping';

/** The workflow's type name. It must not change, because schedules and histories contain it. */
export const HOUSEKEEPING = 'keepHouse';

/** `after` and the counts come from an earlier run of the same pass over the rows. */
export type HousekeepingInput = {
  readonly duty: HousekeepingDuty;
  readonly after?: string;
  readonly looked?: number;
  readonly done?: number;
};

export type HousekeepingResult = { readonly looked: number; readonly done: number };
