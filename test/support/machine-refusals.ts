import { canonical } from '../../platform/canonical';
import type { Party } from './fleet-parties';
import type { Machine } from './offline-fleet';

/** The machine refuses, and its folder is as before. */
export async function expectMachineRefuses({ session }: Machine, work: Promise<unknown>, words: string | RegExp): Promise<void> {
  const before = session().open.state();
  await expect(work).rejects.toThrow(words);
  expect(session().open.state()).toEqual(before);
}

export const cardTextOf = ({ card }: Party): string => canonical(card);

/** The JSON text with a change of its value. */
export const withChange = (text: string, change: (value: never) => void): string => {
  const value = JSON.parse(text) as never;
  change(value);
  return canonical(value);
};
