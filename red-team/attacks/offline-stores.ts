import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { HOUR_MS } from '../../domain/durations';
import { canonical } from '../../platform/canonical';
import { statementBytes } from '../../platform/fleets/statement';
import { newId } from '../../platform/ids';
import { offerStore, storeEntry } from '../offline-store';
import { rowsOf } from '../orders';
import { moment, WALLET_NAMES } from '../organization';
import { type Attack, type Attempt, evidenceOf, type Scene } from './attack';

const anyKey = ({ organization, random }: Scene) => organization.wallets[random.oneOf(WALLET_NAMES)].key;

function inputFor({ organization, random }: Scene): { readonly groupId: string; readonly [name: string]: unknown } {
  const { orgId, signerId, storeId } = organization;
  const now = Date.now();
  const keys = { secp256k1: 4, ed25519: 4 };
  const task = { kind: 'Genesis', operationId: 'op-1', deviceSerial: 'D-1', provisioners: 2, threshold: 2, keys };
  return {
    ...{ type: 'strongroom-fleet-input', v: 1, signerId, orgId, storeId, fleetId: `fl-${randomUUID()}`, fleetLabel: 'Vault' },
    ...{ groupId: `fg-${randomUUID()}`, manifest: null, abandons: [], task },
    dateIssued: new Date(now).toISOString(),
    notAfter: new Date(now + HOUR_MS).toISOString(),
    ...random.oneOf<object>([{}, {}, { orgId: 'or-thief' }, { storeId: 'software' }, { signerId: 'signer-thief' }]),
  };
}

/** Asks for the input of a ceremony that no person asked for. */
function ceremony(scene: Scene): Attempt {
  const { organization, random, genuine } = scene;
  const { orgId, storeId, people } = organization;
  const input = inputFor(scene);
  const path = `/key-stores/${storeId}/genesis/input`;
  const evidence = random.oneOf<readonly object[]>([
    [],
    evidenceOf(genuine.order),
    [people.asked(people.stranger, path, {})],
    [people.asked(people.ada, '/key-stores/ks-else/genesis/input', {})],
    [people.asked(people.ada, `/key-stores/${storeId}/clone/input`, {})],
    [people.asked(people.ada, `${path}?a=b`, {})],
    [people.asked(people.ada, path, {}, { method: 'PUT' })],
  ]);
  return {
    order: { op: 'sealFleetInput', requestId: input.groupId, orgId, input: canonical(input as never), evidence, ...moment() },
  };
}

/** Records a ceremony whose input the attacker signed itself. */
function planting(scene: Scene): Attempt {
  const { organization, genuine } = scene;
  const { orgId, people } = organization;
  const input = inputFor(scene);
  const thief = generateKeyPairSync('ed25519');
  const by = thief.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
  const signature = sign(null, statementBytes('input', input as never), thief.privateKey).toString('base64');
  return {
    order: {
      ...{ op: 'recordFleet', requestId: input.groupId, orgId, outputJson: '{}', file: '{}' },
      input: canonical({ input, signed: { by, signature } } as never),
      ...{ createdBy: people.eve.userId, submittedBy: people.eve.userId, reviewedBy: people.ada.userId },
      ...{ evidence: evidenceOf(genuine.order), ...moment() },
    },
  };
}

/** Gives key ids to keys that no ceremony recorded. */
function assignment(scene: Scene): Attempt {
  const { organization, random } = scene;
  const { orgId, storeId } = organization;
  const { scheme, curve, publicKeyHex, keyId } = rowsOf({ key: anyKey(scene) } as never).sealed;
  const own = { scheme: 'EdDSA', curve: 'ed25519', publicKeyHex: createHash('sha256').update(newId('key')).digest('hex') };
  const form = random.share() < 0.5 ? { scheme, curve, publicKeyHex } : own;
  return {
    order: {
      ...{ op: 'assignFleetKey', requestId: newId('keyRequest'), orgId: random.share() < 0.9 ? orgId : 'or-thief' },
      ...{ storeId: random.share() < 0.8 ? storeId : 'software', keyId: random.share() < 0.5 ? keyId : newId('key'), ...form },
    },
  };
}

const VOUCHES: Readonly<Record<string, string>> = {
  signTransfer: 'vouchTransfer',
  signUtxo: 'vouchUtxo',
  signSolana: 'vouchSolana',
  signPayload: 'vouchPayload',
};

/** A genuine order whose software key is presented as a key of the offline store. */
function vouch({ organization, genuine, random }: Scene): Attempt | undefined {
  const {
    op,
    sealed,
    dek: _dek,
    ...order
  } = genuine.order as Record<string, unknown> & {
    readonly op: string;
    readonly sealed: { readonly scheme: string; readonly curve: string; readonly publicKeyHex: string };
  };
  const vouching = VOUCHES[op];
  if (vouching === undefined) return undefined;
  const { scheme, curve, publicKeyHex } = sealed;
  const storeId = random.oneOf([organization.storeId, organization.storeId, 'software', 'ks-else']);
  return { order: { op: vouching, ...order, scheme, curve, publicKeyHex, store: { storeId, groupId: `fg-${randomUUID()}` } } };
}

/** An entry that adds a store, which the operator did not sign. */
function store({ organization, stateDir }: Scene): Attempt {
  const thief = generateKeyPairSync('ed25519').privateKey;
  return {
    act: async () => {
      const outcome = await offerStore(stateDir, storeEntry(organization, `ks-${randomUUID()}`, thief));
      return outcome === 'Adopted' ? { kind: 'Accepted', result: {} } : { kind: 'Refused', reason: outcome };
    },
  };
}

export const OFFLINE_STORE_ATTACKS: readonly Attack[] = [
  { kind: 'ceremony that no person asked for', weight: 2, make: ceremony },
  { kind: 'planted manifest', weight: 1, make: planting },
  { kind: 'planted key of a pool', weight: 1, make: assignment },
  { kind: 'vouch for a software key', weight: 2, make: vouch },
  { kind: 'store of the attacker', weight: 0.2, make: store },
];
