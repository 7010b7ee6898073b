import type { HousekeepingDuty } from '../domain/housekeeping';

/** The workflow's type name: schedules and histories hold it. */
export const HOUSEKEEPING = 'keepHouse';

/** `after` and the counts continue an earlier run of the same round through the rows. */
export type HousekeepingInput = {
  readonly duty: HousekeepingDuty;
  readonly after?: string;
  readonly looked?: number;
  readonly done?: number;
};

export type HousekeepingResult = { readonly looked: number; readonly done: number };
