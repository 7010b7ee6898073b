import { createPrivateKey, sign } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { type OrganizationNow, organizationNow } from '../application/charters/organization-now';
import type { Database } from '../entities/database';
import { createClient } from '../local/client';
import { createTrialOrganization, type TrialUser } from '../local/trial-organization';
import type { TokenKeys } from '../platform/token-keys';
import { charterBytes, charterDigest } from '../signer/charters/charter';
import { offerCharter, offerRestriction } from '../signer/charters/offer-charter';
import { type Restriction, restrictionBytes, type SignedRestriction } from '../signer/charters/restriction';
import { signerIdIn } from '../signer/keys/share-keys';
import type { Cell } from './cases';
import { until } from './faults/polling';
import type { CharterStory } from './kill-points';
import type { Stage } from './rig';
import { withDatabase } from './tenants/tenants';

/** An organisation of one record, with a charter that its members may amend. */
export type Office = {
  readonly orgId: string;
  readonly admin: TrialUser;
  /** The administrator removes this member from the charter. */
  readonly leaver: TrialUser;
  readonly wallet: { readonly id: string; readonly address: string };
  /** The removal of the leaver from the first charter, signed by the administrator. */
  readonly restriction: SignedRestriction;
  /** The faults in the attempts of the two members to pay after the removal. */
  tried: Promise<readonly string[]> | undefined;
};

const NETWORK = 'EthereumSepolia';
const TEN_ETHER = '0x8AC7230489E80000';
const ADOPTED_WITHIN_MS = 30_000;
const TAKEN_WITHIN_MS = 150_000;

const Wallet = z.object({ id: z.string(), address: z.string() });
const WebhookOfStage = z.object({ id: z.string() });

/**
 * Gives each cell an organisation, and waits until the service knows the charters, because an earlier change would amend no
 * charter.
 */
export async function openOffices(stage: Stage, cells: readonly Cell[]): Promise<void> {
  if (cells.length === 0) return;
  await withDatabase(stage, async (db, keys) => {
    const offices = await Promise.all(
      cells.map(async (cell) => {
        cell.office = await openOffice(stage, db, keys);
        return cell.office.orgId;
      }),
    );
    await until('the service knows the charters', async () => {
      const known = await stage.sql('SELECT 1 FROM charters WHERE org_id = ANY($1)', [offices]);
      return known.length === offices.length ? true : undefined;
    });
  });
}

async function openOffice(stage: Stage, db: Database, keys: TokenKeys): Promise<Office> {
  const { orgId, users } = await createTrialOrganization(db, keys);
  const [admin, leaver] = users;
  const signerId = signerIdIn(join(stage.folderOf('signer'), 'share-keys.json'));
  if (!admin || !leaver || signerId === undefined) throw new Error('an organisation has two users, and the signer an id');
  const { change } = createClient(stage.place().apiUrl, admin);
  await change('POST', '/webhooks', { url: stage.receiver.url, events: ['*'], description: 'drill' }, WebhookOfStage);
  const wallet = await change('POST', '/wallets', { network: NETWORK }, Wallet);
  await stage.rpc('anvil_setBalance', [wallet.address, TEN_ETHER]);
  const { content } = await organizationNow(db, orgId, { membersAmend: true, keysLeave: false, servesEndUsers: false });
  const issued = { v: 1, signerId, organizationId: orgId, dateIssued: new Date().toISOString() } as const;
  const charter = JSON.stringify({ ...issued, sequence: 1, previous: null, ...content, limits: [] });
  const signature = sign(null, charterBytes(charter), stage.operatorKey).toString('base64');
  assertAdopted(await offerCharter(stage.folderOf('signer'), { charter, signature }, ADOPTED_WITHIN_MS));
  const restriction = { ...issued, charter: charterDigest(charter), by: admin.userId, removes: [{ userId: leaver.userId }] };
  return { orgId, admin, leaver, wallet, restriction: signedBy(admin, content, restriction), tried: undefined };
}

function assertAdopted(outcome = 'no answer'): void {
  if (outcome !== 'Adopted') throw new Error(`the signer did not adopt the offered charter or restriction: ${outcome}`);
}

/** Signs with the member's only key in the charter. */
function signedBy(by: TrialUser, { members }: OrganizationNow['content'], content: Restriction): SignedRestriction {
  const [credential] = members.find(({ userId }) => userId === by.userId)?.credentials ?? [];
  if (!credential) throw new Error(`the charter has no key of ${by.name}`);
  const restriction = JSON.stringify(content);
  const signature = sign(null, restrictionBytes(restriction), createPrivateKey(by.privateKeyPem)).toString('base64');
  return { restriction, credentialId: credential.id, signature };
}

/** A repeated call changes nothing. */
export async function removeLeaver(stage: Stage, office: Office | undefined, story: CharterStory): Promise<void> {
  if (!office) throw new Error('the record has no organisation');
  const { admin, leaver, restriction } = office;
  if (story === 'restricted') assertAdopted(await offerRestriction(stage.folderOf('signer'), restriction, TAKEN_WITHIN_MS));
  else await createClient(stage.place().apiUrl, admin).change('PUT', `/auth/users/${leaver.userId}/deactivate`, {}, z.unknown());
}
