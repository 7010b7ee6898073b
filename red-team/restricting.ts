import type { Signatory } from '../bench/signatory';
import { offerRestriction } from '../signer/charters/offer-charter';
import { type Restriction, restrictionBytes, type SignedRestriction } from '../signer/charters/restriction';
import type { SignerClient } from '../signer/protocol';
import type { People } from './people';

/** The signer looks for files every second, and may be busy with orders. */
const RESTRICTED_WITHIN_MS = 60_000;

export type Restricting = Omit<Restriction, 'v' | 'dateIssued' | 'by'>;

/** A restriction with the member's signature, as `strongroom-verify restrict` writes it. */
export function restrictionBy(by: Pick<Signatory, 'userId' | 'credential' | 'signText'>, wanted: Restricting): SignedRestriction {
  const restriction = JSON.stringify({ v: 1, ...wanted, dateIssued: new Date().toISOString(), by: by.userId });
  return { restriction, credentialId: by.credential.id, signature: by.signText(restrictionBytes(restriction)) };
}

export const restrict = async (stateDir: string, signed: SignedRestriction): Promise<string> =>
  (await offerRestriction(stateDir, signed, RESTRICTED_WITHIN_MS)) ?? 'no reply';

type Place = {
  readonly client: SignerClient;
  readonly stateDir: string;
  readonly orgId: string;
  readonly signerId: string;
  readonly people: People;
  /** The digest of a charter that is no longer in force. */
  readonly former: string;
};

/**
 * Three restrictions: `taken` is adopted, `kept` is signed for a charter that is no longer in force, and `last` is signed for
 * the charter in force.
 */
export async function openRestrictions({ client, stateDir, orgId, signerId, people, former }: Place) {
  const { ada, leavers } = people;
  const inForce = async () => (await client.listCharters({})).charters.find((one) => one.orgId === orgId)?.digest ?? '';
  const [first = '', second = '', third = ''] = leavers.map(({ userId }) => userId);
  const removing = (userId: string, charter: string) =>
    restrictionBy(ada, { signerId, organizationId: orgId, charter, removes: [{ userId }] });
  const taken = removing(first, await inForce());
  const outcome = await restrict(stateDir, taken);
  if (outcome !== 'Adopted') throw new Error(`the restriction of a member was offered: ${outcome}`);
  const digest = await inForce();
  return { inForce: digest, taken, kept: removing(second, former), last: removing(third, digest) };
}
