import { z } from 'zod';
import { digestOf } from '../canonical';
import { IdentityKey, isStated, Signature } from './statement';

export const CARD_ROLES = ['Device', 'Provisioner', 'Operator'] as const;
export type CardRole = (typeof CARD_ROLES)[number];

/** Serial numbers and labels are printable, so that a script can contain them and people can read them aloud. */
export const Serial = z.string().regex(/^[A-Za-z0-9._-]{1,64}$/);

/**
 * The identity of a device, a provisioner or an operator's machine. `signingKey` (Ed25519) signs the whole card, so
 * `sealingKey` (X25519), to which secrets are encrypted, cannot be exchanged.
 */
export const Card = z.strictObject({
  v: z.literal(1),
  role: z.enum(CARD_ROLES),
  serial: Serial,
  signingKey: IdentityKey,
  sealingKey: IdentityKey,
  signature: Signature,
});
export type Card = z.infer<typeof Card>;

export const isSoundCard = ({ signature, ...card }: Card): boolean => isStated('card', card, { by: card.signingKey, signature });

export const cardDigest = (card: Card): string => digestOf(card);

/** One digest over several cards in their order, which people compare in place of each card. */
export const cardsDigest = (cards: readonly Card[]): string => digestOf(cards.map(cardDigest));
