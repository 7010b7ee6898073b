import { z } from 'zod';
import { Card, type CardRole, cardDigest, isSoundCard } from '../../platform/fleets/cards';
import { FleetManifest, SignedManifest } from '../../platform/fleets/manifests';
import { SignedOutputFile } from '../../platform/fleets/outputs';
import { BySigner, Digest, shortDigest } from '../../platform/fleets/statement';
import { Refused } from '../refused';
import { Box } from '../secrets/sealed-box';
import { SHARES_MAX } from '../state/state';
import { archiveIn } from './read-archive';

/** The next manifest, which a device shows to the people who must agree to it. */
export const Proposal = z.strictObject({
  type: z.literal('strongroom-fleet-proposal'),
  v: z.literal(1),
  head: FleetManifest,
  next: FleetManifest,
});

/** The signature of a provisioner or an operator on a next manifest. */
export const ManifestApproval = z.strictObject({
  type: z.literal('strongroom-fleet-approval'),
  v: z.literal(1),
  manifest: Digest,
  signed: BySigner,
});

/** The master secret on its way from one device to another. The next manifest names the target, and binds the box. */
export const ClonePackage = z.strictObject({
  type: z.literal('strongroom-fleet-clone'),
  v: z.literal(1),
  head: FleetManifest,
  manifest: SignedManifest,
  box: Box,
});

const SealedShare = Box.extend({ dividedAt: Digest });

/** A provisioner's shares on their way to a new device, with the signature on the manifest that names the device. */
export const Contribution = z.strictObject({
  type: z.literal('strongroom-fleet-contribution'),
  v: z.literal(1),
  head: FleetManifest,
  approval: BySigner,
  shares: z.array(SealedShare).min(1).max(SHARES_MAX),
  signed: BySigner,
});
export type Contribution = z.infer<typeof Contribution>;

/** The statement that a provisioner signs over a contribution. */
export const contributionBody = (to: Card, manifest: string, { shares }: Pick<Contribution, 'shares'>) => ({
  to: cardDigest(to),
  manifest,
  shares,
});

/** Throws `Refused` unless the text is a sound card of this role. */
export function cardIn(text: string, role: CardRole): Card {
  const card = archiveIn(text, Card, 'a card');
  if (!isSoundCard(card)) throw new Refused('The card is not sound: its signature does not belong to its keys.');
  if (card.role !== role) throw new Refused(`The card is that of a ${card.role}, and this step needs a ${role}.`);
  return card;
}

export const outputFileIn = (text: string): SignedOutputFile => archiveIn(text, SignedOutputFile, 'the file of an output');

/** The text that people compare and read aloud. */
export const cardFingerprint = (card: Card): string => shortDigest(cardDigest(card));
