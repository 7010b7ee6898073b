import type { HouseDuty } from '../domain/housekeeping';

/** The workflow's type name: it stands in schedules and histories. */
export const KEEP_HOUSE = 'keepHouse';

/** `after` and the counts come from an earlier run of the same round through the rows. */
export type KeepHouseInput = {
  readonly duty: HouseDuty;
  readonly after?: string;
  readonly looked?: number;
  readonly done?: number;
};

export type KeepHouseResult = { readonly looked: number; readonly done: number };
