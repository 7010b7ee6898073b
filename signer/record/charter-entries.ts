import type { Index } from './journal/index-store';

/** `charter` is the exact text that the operator signed. */
export type CharterAdoptedEntry = {
  readonly kind: 'CharterAdopted';
  readonly orgId: string;
  readonly sequence: number;
  readonly digest: string;
  readonly charter: string;
  readonly signature: string;
};

/** The text has a name of its own, so that an order reads it only after a change. */
export type AdoptedCharter = Pick<CharterAdoptedEntry, 'sequence' | 'digest'>;
export const charterName = (orgId: string) => `charter/${orgId}`;
export const charterTextName = (orgId: string) => `charter-text/${orgId}`;

type Facts = Pick<Index, 'put'>;

export function applyCharterAdopted(index: Facts, { orgId, sequence, digest, charter }: CharterAdoptedEntry): void {
  index.put(charterName(orgId), { sequence, digest } satisfies AdoptedCharter);
  index.put(charterTextName(orgId), charter);
}
