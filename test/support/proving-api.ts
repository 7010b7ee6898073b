import { createHash } from 'node:crypto';
import { decoderOf } from '../../chains/decoders';
import { networkOf } from '../../chains/networks';
import type { NetworkName } from '../../domain/networks';
import { fleetKeyStore } from '../../entities/fleets/fleet-key.store';
import { KeyEntity } from '../../entities/keys/key.entity';
import { WalletEntity } from '../../entities/wallets/wallet.entity';
import { CONTROL_PROOF_PREFIX, controlProofBytes } from '../../platform/fleets/control-proofs';
import { type FleetInput, type ProofRequest, SignedInput } from '../../platform/fleets/inputs';
import type { SignOutputJson } from '../../platform/fleets/outputs';
import { newId } from '../../platform/ids';
import type { Person } from './api';
import type { Answer } from './client';
import { type FleetApi, type StoreApi, sendForm } from './fleet-api';
import { type Fleet, type MadeOutput, outputFile, sealOutput } from './fleet-outputs';
import { signWith } from './fleet-parties';
import { checksumOf } from './fleet-story';

export type StoreWallet = {
  readonly id: string;
  readonly network: NetworkName;
  readonly address: string;
  readonly keyId: string;
};
export type ProofOutput = { readonly outputJson: SignOutputJson; readonly file: string };
type Result = SignOutputJson['outputs'][string];

const REFUSAL: Result = {
  type: 'proof-of-control-v1',
  result: { fail: { message: 'The device derives another key at this index.', code: 'KeyMismatch' } },
};

/** A key of the store's pool, which the service has given a wallet. */
export async function addStoreWallet(
  { api: { database }, orgId, maker }: FleetApi,
  storeId: string,
  network: NetworkName = 'EthereumSepolia',
): Promise<StoreWallet> {
  const { scheme, curve } = networkOf(network);
  const [id, keyId] = [newId('wallet'), newId('key')];
  return database.db.withOrg(orgId, async (tx) => {
    const pooled = await fleetKeyStore.take(tx, storeId, curve, keyId);
    if (!pooled) throw new Error('the pool is empty');
    const { publicKey } = pooled;
    await tx.insert(KeyEntity, { orgId, id: keyId, scheme, curve, status: 'Active', publicKey, storeId, sealed: null });
    const address = decoderOf(network).addressOf(publicKey);
    const row = { orgId, id, network, keyId, status: 'Active' as const, address };
    await tx.insert(WalletEntity, { ...row, requestDigest: '', createdBy: maker.userId });
    return { id, network, address, keyId };
  });
}

/** What the device signs for the request. */
function provenBy({ master }: Pick<Fleet, 'master'>, { key, message }: ProofRequest): Result {
  const bytes = controlProofBytes(message);
  const signed = key.curve === 'secp256k1' ? createHash('sha256').update(bytes).digest() : bytes;
  const signature = signWith(master, key, signed);
  const exact = { signer_public_key: key.publicKey, exact_bytes_signed: bytes.toString('hex') };
  return { type: 'proof-of-control-v1', result: { success: { ...exact, signature, prefix: CONTROL_PROOF_PREFIX, message } } };
}

/** A genuine output of the first device for the input, with a proof of each wallet that is not `refused`. */
export function madeProofs(fleet: Fleet, input: FleetInput, refused: readonly string[] = []): MadeOutput {
  const { task } = input;
  const [device] = fleet.devices;
  if (task.kind !== 'ProofOfControl' || !device) throw new Error('the group proves control, and the fleet has a device');
  const outputs = Object.fromEntries(
    task.requests.map((one) => [one.operationId, refused.includes(one.walletId) ? REFUSAL : provenBy(fleet, one)] as const),
  );
  const some = refused.length === 0 ? 'success' : 'partial';
  const outputJson: SignOutputJson = {
    ...{ type: 'keystore-output', version: 1, org_id: input.orgId, fleet_id: input.fleetId },
    ...{ keystore_id: input.storeId, group_id: input.groupId, outputs },
    status: refused.length === task.requests.length ? 'fail' : some,
  };
  return { outputJson, output: outputFile(input, { device, manifest: null }), device };
}

/** The proofs of control of one offline store. */
export function provingAt({ maker }: FleetApi, { storeId, fleet }: StoreApi) {
  const path = (part: 'input' | 'output') => `/key-stores/${storeId}/proof-of-control/${part}`;
  const proving = {
    begin: (walletIds: readonly unknown[], by: Person = maker): Promise<Answer> =>
      by.client.change('POST', path('input'), { walletIds }),
    /** Begins a group, and returns an output for its archive. */
    output: async (
      walletIds: readonly string[],
      refused: readonly string[] = [],
      change: (made: MadeOutput) => void = () => undefined,
    ): Promise<ProofOutput> => {
      const { status, body } = await proving.begin(walletIds);
      if (status !== 200) throw new Error(`the group did not begin: ${JSON.stringify(body)}`);
      return proving.answer(body, refused, change);
    },
    answer: (archive: string, refused: readonly string[] = [], change: (made: MadeOutput) => void = () => undefined) => {
      const made = madeProofs(fleet, SignedInput.parse(JSON.parse(archive)).input, refused);
      change(made);
      return sealOutput(made) as ProofOutput;
    },
    submit: ({ outputJson, file }: ProofOutput, by: Person = maker, to = path('output')): Promise<Answer> =>
      sendForm(by, to, JSON.stringify({ fileChecksum: checksumOf(file), outputJson }), file),
  };
  return proving;
}
export type Proving = ReturnType<typeof provingAt>;
