import { canonical } from '../../platform/canonical';
import type { CardRole } from '../../platform/fleets/cards';
import { shortDigest } from '../../platform/fleets/statement';
import { cardFingerprint } from '../archives/forms';
import { labelled } from '../ceremonies/input-words';
import type { Screen } from '../screen';
import { createIdentity } from '../secrets/identity-keys';
import type { Files } from '../session';
import { createFolder, type OpenFolder } from '../state/open-folder';
import type { PinCost } from '../state/pin-seal';

type Given = {
  readonly folder: string;
  readonly pin: string;
  readonly role: CardRole;
  readonly serial: string;
  readonly cost?: PinCost;
};

export const identityWords = ({ card }: ReturnType<OpenFolder['state']>): readonly string[] => [
  labelled('Role', card.role),
  labelled('Serial', card.serial),
  labelled('Fingerprint', cardFingerprint(card)),
  labelled('Key', shortDigest(card.signingKey)),
];

/** Makes the keys of a machine and its card, whose fingerprint people write on paper. */
export async function newIdentity(screen: Screen, { folder, pin, role, serial, cost }: Given): Promise<Files> {
  const open = createFolder(folder, pin, await createIdentity(role, serial), cost);
  const state = open.state();
  screen.say([...identityWords(state), 'Write the fingerprint on paper. Others type it from the paper, and never from a file.']);
  return { 'card.json': canonical(state.card) };
}
