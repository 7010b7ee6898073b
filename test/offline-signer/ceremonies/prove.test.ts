import { decoderOf } from '../../../chains/decoders';
import type { NetworkName } from '../../../domain/networks';
import { prove } from '../../../offline-signer/ceremonies/prove';
import type { Files } from '../../../offline-signer/session';
import { assertSignOutput } from '../../../platform/fleets/assert-sign-output';
import { CONTROL_PROOF_PREFIX, controlProofBytes } from '../../../platform/fleets/control-proofs';
import type { FleetInput } from '../../../platform/fleets/inputs';
import { type FoundedFleet, foundFleet } from '../../support/founded-fleet';
import { type AskedProof, withProofs } from '../../support/proof-inputs';

let fleet: FoundedFleet;
beforeAll(async () => {
  fleet = await foundFleet({ secp256k1: 2, ed25519: 1 });
});
beforeEach(() => fleet.restore());
afterAll(() => fleet.room.remove());

const PLACES = [
  ['EthereumSepolia', 'secp256k1', 0],
  ['BitcoinTestnet3', 'secp256k1', 1],
  ['SolanaDevnet', 'ed25519', 0],
] as const satisfies readonly (readonly [NetworkName, string, number])[];

function requestAt([network, curve, index]: (typeof PLACES)[number], change: Partial<AskedProof> = {}): AskedProof {
  const known = fleet.service.keys.find((key) => key.curve === curve && key.index === index);
  if (!known) throw new Error('the store has no such key');
  const { proof: _proof, ...key } = known;
  const address = decoderOf(network).addressOf(key.publicKey);
  return {
    operationId: `op-${network}`,
    walletId: `wa-${network}`,
    network,
    address,
    key,
    ...change,
  };
}

const inputOf = (...requests: AskedProof[]): FleetInput =>
  withProofs(fleet.service.input({ kind: 'ProofOfControl', requests: [] }), requests);
const proven = (input: FleetInput) => prove(fleet.device.session(), { input: fleet.service.sign(input) });
const verified = (input: FleetInput, files: Files) =>
  assertSignOutput({
    ...{ input, head: fleet.service.head, file: files['output-file.json'] ?? '' },
    ...{ outputJson: JSON.parse(files['output.json'] ?? ''), messagesOf: () => [] },
  });

test('wallets of three families are proven, after people saw addresses and messages', async () => {
  const input = inputOf(...PLACES.map((place) => requestAt(place)));
  const { status, operations } = await verified(input, await proven(input));
  expect([status, operations.length]).toEqual(['success', 3]);
  const said = fleet.device.screen.said.join('\n');
  for (const place of PLACES) {
    const { address, network, walletId } = requestAt(place);
    const where = `Wallet ${walletId}, key store ${input.storeId}, group ${input.groupId}, ${input.dateIssued}`;
    expect(said).toContain(`"The organisation ${input.orgId} controls the address ${address} on ${network}. ${where}"`);
  }
});

test('an address of another key, another key, an unknown network and other words are refused one by one', async () => {
  const [evm, coin, solana] = PLACES;
  const other = requestAt(coin).key;
  const input = inputOf(
    requestAt(evm, { address: '0x0000000000000000000000000000000000000001' }),
    requestAt(coin, { key: { ...other, index: 0 } }),
    requestAt(solana, { network: 'Nowhere' }),
    requestAt(evm, { operationId: 'op-far', key: { ...other, index: 2 } }),
    requestAt(evm, { operationId: 'op-words', message: 'We owe you the moon.' }),
    requestAt(evm, { operationId: 'op-good' }),
  );
  const { status, operations } = await verified(input, await proven(input));
  expect(status).toBe('partial');
  const found = operations.map((one) => [one.operationId, 'failure' in one ? one.failure.code : 'proven'] as const);
  expect(Object.fromEntries(found)).toEqual({
    'op-EthereumSepolia': 'AddressMismatch',
    'op-BitcoinTestnet3': 'KeyMismatch',
    'op-SolanaDevnet': 'NetworkUnknown',
    'op-far': 'KeyUnknown',
    'op-words': 'MessageMismatch',
    'op-good': 'proven',
  });
});

test('nothing is proven if people do not agree, or by a machine that does not hold the secret', async () => {
  const input = inputOf(requestAt(PLACES[0]));
  fleet.device.screen.agrees = false;
  await expect(proven(input)).rejects.toThrow('did not agree');
  const text = fleet.service.sign(input);
  await expect(prove(fleet.second.session(), { input: text })).rejects.toThrow('continues another manifest');
  await expect(prove(fleet.operator.session(), { input: text })).rejects.toThrow();
});

test('the same input gives the same output, and its operations are not proven again', async () => {
  const input = inputOf(requestAt(PLACES[0]));
  expect(await proven(input)).toEqual(await proven(input));
  const again = { ...inputOf(requestAt(PLACES[0])), groupId: 'fg-again' };
  await expect(proven(again)).rejects.toThrow('has done the operation');
});

test('the bytes of a proof are no transaction of any family', () => {
  const bytes = controlProofBytes('');
  expect(bytes.subarray(0, CONTROL_PROOF_PREFIX.length).toString()).toBe(CONTROL_PROOF_PREFIX);
  const [first = 0] = bytes;
  const [rlpList, typedMax, solanaVersioned, personal] = [0xc0, 0x7f, 0x80, 0x19];
  expect(first < rlpList && first < solanaVersioned && first !== personal).toBe(true);
  // EIP-2718 has types up to 0x7f, and the networks use the lowest ones alone.
  expect(first).toBeGreaterThan(0x10);
  expect(first).toBeLessThanOrEqual(typedMax);
  // A Solana message of that many signers has more bytes than a packet: 64 for each signature, 32 for each account.
  expect(first * (64 + 32)).toBeGreaterThan(1_232);
  // A version of Bitcoin, little-endian, in the first four bytes of BIP 143.
  expect(bytes.readUInt32LE(0)).toBeGreaterThan(2 ** 30);
});
