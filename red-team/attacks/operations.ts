import { generateKeyPairSync, sign } from 'node:crypto';
import { newId } from '../../platform/ids';
import { charterBytes, charterDigest, type SignedCharter } from '../../signer/charters/charter';
import { offerCharter } from '../../signer/charters/offer-charter';
import { rowsOf } from '../orders';
import { moment, WALLET_NAMES } from '../organization';
import { HELD_TAG } from '../people';
import { type Attack, type Attempt, evidenceOf, type Scene } from './attack';

const OUTCOME_WITHIN_MS = 10_000;
const randomBase64 = ({ random }: Scene, count: number) => {
  const bytes = Array.from({ length: Math.ceil(count / 32) }, () => Buffer.from(random.bytes(32)));
  return Buffer.concat(bytes).subarray(0, count).toString('base64');
};
const anyWallet = ({ organization, random }: Scene) => organization.wallets[random.oneOf(WALLET_NAMES)];

/** Requests the secret of a key: for the key's organisation, for another organisation, or with the rows of two keys. */
function secret(scene: Scene): Attempt {
  const { random, genuine } = scene;
  const [rows, others] = [rowsOf(anyWallet(scene)), rowsOf(anyWallet(scene))];
  const mixed = random.oneOf<object>([
    rows,
    { ...rows, orgId: 'or-thief' },
    { ...rows, orgId: 'or-thief', sealed: { ...rows.sealed, orgId: 'or-thief' }, dek: { ...rows.dek, orgId: 'or-thief' } },
    { ...rows, sealed: others.sealed },
    { ...rows, keyId: newId('key') },
  ]);
  const common = { requestId: random.share() < 0.3 ? genuine.order.requestId : newId('keyRequest'), ...mixed, ...moment() };
  const evidence = random.share() < 0.2 ? { evidence: evidenceOf(genuine.order) } : {};
  if (random.share() < 0.6) return { order: { op: 'exportKey', ...common, recipientKey: randomBase64(scene, 32), ...evidence } };
  return { order: { op: 'deriveShared', ...common, domainHex: '0x00', seedHex: '0x6162', ...evidence } };
}

/** The freeze of the organisation ends only if a member requests its release. */
function release(scene: Scene): Attempt {
  const { organization, random, genuine } = scene;
  const { orgId, freezeId, people } = organization;
  const asking = (path: string, by = people.ada) => people.asked(by, path, '', { method: 'DELETE' });
  const evidence = random.oneOf<readonly object[]>([
    evidenceOf(genuine.order),
    [people.asked(people.ada, `/freezes/${freezeId}`, '')],
    [asking(`/freezes/${newId('freeze')}`)],
    [asking(`/freezes/${freezeId}//`)],
    [asking(`/freezes/${freezeId}?a=b`)],
    [asking(`/freezes%2F${freezeId}`)],
    [asking(`/freezes/${freezeId}`, people.eve)],
    [asking(`/freezes/${freezeId}`, people.stranger)],
    [],
  ]);
  const order = { op: 'releaseFreeze', orgId: random.share() < 0.9 ? orgId : 'or-thief', freezeId, evidence, ...moment() };
  return { order };
}

/** Rotations with changed rows. The signer may return only sealed rows, and these rows must not lead to a signature. */
function rotation(scene: Scene): Attempt {
  const { organization, random } = scene;
  const { orgId, wallets } = organization;
  const { sealed, dek, keyId } = rowsOf(anyWallet(scene));
  const foreign = { ...dek, orgId: 'or-thief' };
  return {
    order: random.oneOf<object>([
      { op: 'resealKey', orgId, keyId, sealed, dek, target: foreign },
      { op: 'resealKey', orgId: 'or-thief', keyId, sealed: { ...sealed, orgId: 'or-thief' }, dek: foreign, target: foreign },
      { op: 'resealKey', orgId, keyId, sealed, dek, target: { ...dek, dekId: newId('dataKey') } },
      { op: 'rewrapDek', orgId, dek, kekId: 'kek-thief' },
      { op: 'rewrapDek', orgId: 'or-thief', dek: foreign, kekId: dek.kekId },
      { op: 'createDek', requestId: newId('keyRequest'), orgId: 'or-thief' },
      { op: 'rewrapJournal', kekId: random.oneOf(['kek-thief', wallets.free.key.dek.kekId]) },
    ]),
  };
}

/** Keys that the attacker made, or genuine keys under wrong ids. */
function otherKey(scene: Scene): Attempt {
  const { organization, random, genuine } = scene;
  const { orgId } = organization;
  const { sealed, dek, keyId } = rowsOf(anyWallet(scene));
  const forms = { scheme: sealed.scheme, curve: sealed.curve };
  const parent = { keyId, path: "m/44'/0'/0'", sealed, dek };
  const order = random.oneOf<object>([
    { op: 'createKey', orgId, keyId, ...forms, dek },
    { op: 'createKey', orgId: 'or-thief', keyId, ...forms },
    { op: 'createKey', orgId: 'or-thief', keyId: newId('key'), ...forms, parent },
    { op: 'createKey', orgId: 'or-thief', keyId: newId('key'), ...forms, dek },
    {
      ...{ op: 'importKey', requestId: newId('keyRequest'), orgId, keyId, ...forms },
      encryptedShare: randomBase64(scene, 80),
      dek,
    },
    { ...genuine.order, keyId: newId('key') },
    { ...genuine.order, sealed, dek },
    { ...genuine.order, sealed: { ...sealed, keyId: genuine.wallet.row.keyId } },
  ]);
  return { order };
}

const withdrawal = ({ organization, genuine, random }: Scene): Attempt => ({
  order: {
    op: 'withdraw',
    ...random.oneOf<object>([
      { requestId: newId('transfer'), orgId: organization.orgId },
      { requestId: genuine.order.requestId, orgId: 'or-thief' },
      { requestId: genuine.order.requestId },
    ]),
  },
});

/** A charter that the operator did not sign, or a signed charter that is superseded or belongs to another signer. */
function charterOffered({ organization, random }: Scene): SignedCharter {
  const { content, signerId, people, charter, former, elsewhere, restrictions } = organization;
  const thief = generateKeyPairSync('ed25519').privateKey;
  const [member, ...others] = content.members;
  const members = member ? [{ ...member, credentials: [people.stranger.credential] }, ...others] : [];
  const [sequence, previous] = restrictions ? [4, restrictions.inForce] : [3, charterDigest(charter.charter)];
  const next = { ...content, members, policies: [], signerId, sequence, previous, dateIssued: new Date().toISOString() };
  const text = JSON.stringify(random.oneOf<object>([next, { ...next, sequence: 1, previous: null }, { ...next, sequence: 5 }]));
  const signature = random.oneOf([
    charter.signature,
    sign(null, charterBytes(text), thief).toString('base64'),
    sign(null, Buffer.from(text), thief).toString('base64'),
    Buffer.alloc(64).toString('base64'),
  ]);
  return random.oneOf([{ charter: text, signature }, { charter: text, signature }, former, elsewhere]);
}

function charter(scene: Scene): Attempt {
  const signed = charterOffered(scene);
  return {
    act: async () => {
      const outcome = (await offerCharter(scene.stateDir, signed, OUTCOME_WITHIN_MS)) ?? 'no reply';
      return outcome === 'Adopted' ? { kind: 'Accepted', result: {} } : { kind: 'Refused', reason: outcome };
    },
  };
}

/** Amendments of the charter that no member requested, or that the member may not make. */
function amendment(scene: Scene): Attempt {
  const { organization, random, genuine } = scene;
  const { orgId, people, wallets, content } = organization;
  const { ada, cyd, eve, stranger, asked } = people;
  const policyId = content.policies[0]?.id ?? '';
  const archiving = (by = ada, method: 'PUT' | 'DELETE' = 'DELETE') => asked(by, `/v2/policies/${policyId}`, {}, { method });
  const tagging = asked(ada, `/wallets/${wallets.held.row.id}/tags`, { tags: [HELD_TAG] }, { method: 'PUT' });
  const leaving = asked(eve, `/auth/users/${cyd.userId}/deactivate`, {}, { method: 'PUT' });
  const creation = { kind: 'createWallet', walletId: newId('wallet'), keyId: wallets.free.row.keyId };
  const [wanted, evidence] = random.oneOf<readonly [object, readonly object[]]>([
    [{ kind: 'archivePolicy' }, evidenceOf(genuine.order)],
    [{ kind: 'archivePolicy' }, [archiving(eve)]],
    [{ kind: 'archivePolicy' }, [archiving(stranger)]],
    [{ kind: 'archivePolicy' }, [archiving(ada, 'PUT')]],
    [{ kind: 'archivePolicy' }, []],
    [{ kind: 'updatePolicy', version: 2, groupIds: [] }, [archiving(ada, 'PUT')]],
    [{ kind: 'untagWallet' }, [tagging]],
    [{ kind: 'deactivateUser' }, [leaving]],
    [creation, [asked(ada, '/wallets', { network: 'EthereumSepolia' })]],
    [{ ...creation, keyId: newId('key') }, [asked(ada, '/wallets', { network: 'EthereumSepolia' })]],
    [{ ...creation, walletId: wallets.held.row.id }, [asked(ada, '/wallets', { network: 'EthereumSepolia' })]],
  ]);
  return { order: { op: 'amendCharter', orgId, amendmentId: newId('amendment'), amendment: wanted, evidence } };
}

/**
 * Requests an attestation for a genuine key under wrong ids. An order with an address is malformed, because orders do not
 * contain addresses.
 */
function attestation(scene: Scene): Attempt {
  const { organization, random } = scene;
  const { orgId, outsider, people } = organization;
  const { row } = anyWallet(scene);
  const other = anyWallet(scene).row;
  const asked = { op: 'attestAddress', orgId, keyId: row.keyId, network: row.network };
  return {
    order: random.oneOf<object>([
      asked,
      { ...asked, network: other.network },
      { ...asked, network: random.oneOf(['PolygonAmoy', 'Ethereum', 'Bitcoin', 'Solana', 'nowhere', '__proto__']) },
      { ...asked, orgId: 'or-thief' },
      { ...asked, keyId: random.oneOf([newId('key'), outsider.sealed.keyId, people.stranger.userId]) },
      { ...asked, address: other.address },
      { ...asked, publicKey: outsider.publicKeyHex },
      { ...asked, sealed: outsider.sealed, dek: outsider.dek },
    ]),
  };
}

export const OPERATION_ATTACKS: readonly Attack[] = [
  { kind: 'secret of a key', weight: 4, make: secret },
  { kind: 'release of a freeze', weight: 3, make: release },
  { kind: 'rotation', weight: 2, make: rotation },
  { kind: 'other key', weight: 4, make: otherKey },
  { kind: 'withdrawal', weight: 1, make: withdrawal },
  { kind: 'amendment of the charter', weight: 3, make: amendment },
  { kind: 'charter of the attacker', weight: 0.2, make: charter },
  { kind: 'attestation of an address', weight: 2, make: attestation },
];
