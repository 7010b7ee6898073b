import { generateKeyPairSync } from 'node:crypto';
import { solanaCodecOf, utxoCodecOf } from '../../../../chains/codecs';
import type { SolanaLifetime } from '../../../../chains/solana/types';
import type { UtxoIntent } from '../../../../chains/utxo/types';
import { sha256Hex } from '../../../../platform/digests';
import { Vouch } from '../../../../platform/fleets/vouches';
import type { FleetOrders } from '../../../../signer/protocol';
import evmVectors from '../../../chains/evm/vectors.json';
import vectors from '../../../chains/solana/vectors.json';
import { fundedCoins } from '../../../chains/utxo/coins';
import type { Fleet } from '../../../support/fleet-outputs';
import { NOW_MS, ORG, openOperations, refusedAs, temporaryFolder } from '../../fixtures';
import { addStore, assignOrder, formOf, momentAt, OFFLINE, poolKey, type Signer, withGenesis } from './fleeting';

const { recipient, blockhash, nonceAccount } = vectors;
const operator = generateKeyPairSync('ed25519');
let folder: ReturnType<typeof temporaryFolder>;
let signer: Signer;
let fleet: Fleet;
beforeAll(async () => {
  folder = temporaryFolder();
  signer = await openOperations(folder.path, () => NOW_MS, undefined, undefined, operator.publicKey);
  await addStore(signer, operator.privateKey);
  ({ fleet } = await withGenesis(signer));
  await signer.assignFleetKey(assignOrder(poolKey(fleet, 0), 'key-secp'));
  await signer.assignFleetKey(assignOrder(poolKey(fleet, 0, 'ed25519'), 'key-ed'));
});
afterAll(async () => {
  await signer.close();
  folder.remove();
});

const common = (requestId: string, keyId: 'key-secp' | 'key-ed') => ({
  ...{ requestId, orgId: ORG, keyId, store: { storeId: OFFLINE, groupId: 'fg-1' }, ...momentAt() },
  ...formOf(poolKey(fleet, 0, keyId === 'key-ed' ? 'ed25519' : 'secp256k1')),
});
const claimsIn = (text: string) => Vouch.parse(JSON.parse(text)).claims;

describe('the family of Bitcoin', () => {
  const NETWORK = 'BitcoinSignet';
  const codec = utxoCodecOf(NETWORK);
  const to = codec.addressOf('02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5');
  function order(
    requestId: string,
    amountUnits: bigint,
    pick: readonly number[] = [0, 1],
    changes = {},
  ): FleetOrders['vouchUtxo'] {
    const { publicKeyHex } = formOf(poolKey(fleet, 0));
    const { address: from, coins, previous } = fundedCoins(NETWORK, publicKeyHex, undefined, [50_000n, 40_000n, 30_000n]);
    const chosen = pick.flatMap((index) => coins[index] ?? []);
    const total = chosen.reduce((sum, coin) => sum + coin.amountUnits, 0n);
    const intent: UtxoIntent = { network: NETWORK, from, to, amountUnits, publicKeyHex };
    const selection = { coins: chosen, feeUnits: 500n, changeUnits: total - amountUnits - 500n };
    const { bytesHex } = codec.build(intent, selection, previous);
    return {
      ...common(requestId, 'key-secp'),
      ...{ network: NETWORK, intent: { from, to, amountUnits: String(amountUnits) }, feeCeilingUnits: '1000', bytesHex },
      ...changes,
    };
  }

  test('each input is a message, and its coin a claim that no other payment may use', async () => {
    const { vouched, messages } = await signer.vouchUtxo(order('xfr-coins', 20_000n));
    expect(messages).toHaveLength(2);
    expect(new Set(messages).size).toBe(2);
    expect(messages.every((message) => /^0x[0-9a-f]{64}$/.test(message))).toBe(true);
    expect(claimsIn(vouched.vouch)).toEqual([expect.stringMatching(/^utxo BitcoinSignet /), expect.stringMatching(/:1$/)]);
    await expect(signer.vouchUtxo(order('xfr-rival', 10_000n, [1, 2]))).rejects.toEqual(refusedAs('NonceSignedAlready'));
    await expect(signer.vouchUtxo(order('xfr-other', 10_000n, [2]))).resolves.toBeDefined();
  });

  test('all replacements of a payment spend one and the same coin, so that an archive that is signed late conflicts with each', async () => {
    const replace = (requestId: string, replaces: string, pick: readonly number[], amountUnits = 10_000n) =>
      signer.vouchUtxo(order(requestId, amountUnits, pick, { replaces }));
    await expect(replace('tx-first', 'xfr-coins', [0])).resolves.toBeDefined();
    // The coin is a coin of the payment, but the first replacement would not conflict.
    for (const replaces of ['xfr-coins', 'tx-first'])
      await expect(replace('tx-beside', replaces, [1])).rejects.toEqual(refusedAs('ReplacesNothing'));
    // A payment of its own may spend a coin that a dead payment has left.
    const left = order('xfr-left', 10_000n, [1], { replaces: 'xfr-coins', takesLeft: true });
    await expect(signer.vouchUtxo(left)).resolves.toBeDefined();
    await expect(replace('tx-second', 'tx-first', [0], 11_000n)).resolves.toBeDefined();
    await expect(replace('tx-third', 'xfr-coins', [0, 1], 12_000n)).resolves.toBeDefined();
    await expect(replace('tx-fourth', 'xfr-left', [1], 13_000n)).resolves.toBeDefined();
    await expect(replace('tx-first', 'xfr-coins', [0])).resolves.toBeDefined();
  });
});

describe('Solana', () => {
  const codec = solanaCodecOf('SolanaDevnet');
  const from = () => codec.addressOf(poolKey(fleet, 0, 'ed25519').publicKey);
  const durable = (value: string = blockhash): SolanaLifetime => ({
    ...{ kind: 'durable-nonce', account: nonceAccount, authority: from(), value },
  });
  function order(requestId: string, lifetime: SolanaLifetime, changes: object = {}): FleetOrders['vouchSolana'] {
    const intent = { from: from(), to: recipient, amountUnits: '1000', asset: { kind: 'Native' as const } };
    const { bytesHex } = codec.build(
      { network: 'SolanaDevnet', ...intent, amountUnits: 1_000n },
      { lifetime, computeUnitLimit: 30_000, microLamportsPerUnit: 1_000n },
    );
    return {
      ...common(requestId, 'key-ed'),
      ...{ network: 'SolanaDevnet', intent, feeCeilingUnits: '3000000', bytesHex },
      ...(lifetime.kind === 'durable-nonce' ? { nonceAccount } : {}),
      ...changes,
    };
  }

  test('the whole message is signed, and the value of the durable nonce is the claim', async () => {
    const asked = order('xfr-durable', durable());
    const { vouched, messages, digestHex } = await signer.vouchSolana(asked);
    expect(messages).toEqual([asked.bytesHex]);
    expect(digestHex).toBe(`0x${sha256Hex(Buffer.from(asked.bytesHex.slice(2), 'hex'))}`);
    expect(claimsIn(vouched.vouch)).toEqual([`SolanaDevnet durable ${nonceAccount} ${blockhash}`]);
  });

  test('a message with a blockhash, or with a sponsor, is refused', async () => {
    const expiring: SolanaLifetime = { kind: 'blockhash', blockhash, lastValidBlockHeight: 9n };
    await expect(signer.vouchSolana(order('xfr-blockhash', expiring))).rejects.toEqual(refusedAs('NotForOfflineStore'));
    const payload = { kind: 'SolanaTransaction' as const, network: 'SolanaDevnet' };
    const bytesHex = order('xfr-x', expiring).bytesHex;
    await expect(
      signer.vouchPayload({
        ...common('sig-blockhash', 'key-ed'),
        payload: { ...payload, bytesHex },
        evidence: [],
        policyEpoch: 1,
      }),
    ).rejects.toEqual(refusedAs('NotForOfflineStore'));
    const sponsored = order('xfr-sponsored', durable(vectors.mint), { sponsor: recipient });
    await expect(signer.vouchSolana(sponsored)).rejects.toEqual(refusedAs('NotForOfflineStore'));
    const { bytesHex: signedBySponsor } = order('xfr-x', durable());
    const walletSignatureHex = '00'.repeat(64);
    await expect(
      signer.vouchSolana(order('xfr-sponsor', durable(), { bytesHex: signedBySponsor, walletSignatureHex })),
    ).rejects.toEqual(refusedAs('NotForOfflineStore'));
  });
});

test('a network with several sequences of nonces, and the calls of a smart account, are refused', async () => {
  const vouch = (requestId: string, payload: FleetOrders['vouchPayload']['payload']) =>
    signer.vouchPayload({ ...common(requestId, 'key-secp'), payload, evidence: [], policyEpoch: 1 });
  const { celo, tempoLane } = evmVectors.ownTypes;
  await expect(vouch('sig-tempo', { kind: 'EvmTransaction', bytesHex: tempoLane.unsigned })).rejects.toEqual(
    refusedAs('NotForOfflineStore'),
  );
  await expect(vouch('sig-celo', { kind: 'EvmTransaction', bytesHex: celo.unsigned })).resolves.toBeDefined();
});
