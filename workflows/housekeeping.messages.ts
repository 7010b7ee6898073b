import type { HousekeepingDuty } from '../domain/housekeeping';

/** Schedules and histories contain the name, so the name must not change. */
export const HOUSEKEEPING = 'keepHouse';

/** `after` and the counts come from an earlier run of the same pass over the rows. */
export type HousekeepingInput = {
  readonly duty: HousekeepingDuty;
  readonly after?: string;
  readonly looked?: number;
  readonly done?: number;
};

export type HousekeepingResult = { readonly looked: number; readonly done: number };
