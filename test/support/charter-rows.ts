import { generateKeyPairSync } from 'node:crypto';
import type { AmendmentKind } from '../../domain/amendments';
import { amendmentStore } from '../../entities/charters/amendment.store';
import { charterStore } from '../../entities/charters/charter.store';
import type { Database } from '../../entities/database';
import { sha256Hex } from '../../platform/digests';
import { newId } from '../../platform/ids';

const publicKey = generateKeyPairSync('ed25519').publicKey.export({ format: 'pem', type: 'spki' }).toString();

/** The text of a charter with one member and one policy on changes. */
export const charterText = (orgId: string, sequence = 1, more: object = {}): string =>
  JSON.stringify({
    ...{ v: 1, signerId: 'sgn-1', organizationId: orgId, sequence },
    members: [
      {
        ...{ userId: 'us-1', hand: 'us-1', isServiceAccount: false },
        credentials: [{ id: 'cred-1', kind: 'Key', publicKey, operations: ['transferAsset', 'createPolicy'] }],
      },
    ],
    wallets: [{ id: 'wa-1', keyId: 'key-1', network: 'EthereumSepolia', address: '0x1', tags: [] }],
    feeSponsors: [{ id: 'fs-1', walletId: 'wa-1' }],
    registryAddresses: [],
    policies: [],
    changePolicies: [
      {
        ...{ id: 'plc-1', name: 'Two of us', version: 1, activityKind: 'Policies:Modify', mode: 'Enforce' },
        ...{ rule: { kind: 'AlwaysTrigger' }, action: { kind: 'Block' }, filters: null },
      },
    ],
    limits: [{ walletId: 'wa-1', asset: 'native', hours: 24, unitsMax: '100' }],
    ...more,
  });

/** Records a charter, as a worker does after it has read the charter from the signer. */
export async function seeCharter(db: Database, orgId: string, sequence = 1, more: object = {}): Promise<string> {
  const text = charterText(orgId, sequence, more);
  const digest = sha256Hex(text);
  await db.withOrg(orgId, (tx) => charterStore.see(tx, { sequence, digest, text }));
  return digest;
}

/** Adds a waiting amendment that this user action has made. */
export async function addAmendment(db: Database, orgId: string, userActionId: string, kind: AmendmentKind): Promise<string> {
  const id = newId('amendment');
  await db.withOrg(orgId, (tx) => amendmentStore.add(tx, { id, kind, userActionId, approvalId: null, given: {} }));
  return id;
}
