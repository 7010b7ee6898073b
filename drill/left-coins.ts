import { randomBytes } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { z } from 'zod';
import { utxoCodecOf } from '../chains/codecs';
import { utxoDecoderOf } from '../chains/decoders';
import type { Coin } from '../chains/utxo/types';
import type { Cell } from './cases';
import { PARTIES, type Party, rpcAt } from './chaos/actors';
import { until } from './faults/polling';
import type { Stage } from './rig';
import { journalOf } from './signer-journal';

const LEFT_NETWORK = 'BitcoinSignet';
const codec = utxoCodecOf(LEFT_NETWORK);
const decoder = utxoDecoderOf(LEFT_NETWORK);

const COIN = '0.01';
const COINS = 2;
/** In smallest units. A payment of this amount needs both coins of the wallet. */
const DEAD_UNITS = '1500000';
const STRANGER_FEE_UNITS = 1_000n;
const CONFIRMATIONS = 3;
/** Anyone can spend from this script. The reward of the block that `leaveCoins` makes goes to the script. */
const ANYBODY = 'raw(51)';

const Wallet = z.object({ id: z.string(), address: z.string(), signingKey: z.object({ id: z.string(), publicKey: z.string() }) });
const Transfer = z.object({ id: z.string(), status: z.string() });
const Signature = z.object({ id: z.string(), signature: z.object({ r: z.string(), s: z.string() }).optional() });
const Freezes = z.object({ items: z.array(z.object({ id: z.string(), target: z.object({ id: z.string() }) })) });

type Funded = { readonly cell: Cell; readonly wallet: z.output<typeof Wallet> };
type Dead = Funded & { readonly id: string };

export const newCoinAddress = (): string => codec.addressOf(Buffer.from(secp256k1.getPublicKey(randomBytes(32))).toString('hex'));

export const coinNode = (stage: Stage): Party => {
  const { port, party } = PARTIES[LEFT_NETWORK];
  return party(rpcAt(z.number().parse(stage.place().ports[port])));
};

/**
 * Gives each cell a wallet with a coin that a failed payment has left unspent. The payment spends two coins, and a block then
 * includes a stranger's transaction that spends the first coin. The service has signed the stranger's transaction only as a bare
 * hash, so the service does not know its content. The follower fails the payment and freezes the key, and the administrator
 * releases the freeze.
 */
export async function leaveCoins(stage: Stage, cells: readonly Cell[]): Promise<void> {
  if (cells.length === 0) return;
  const { rpc } = coinNode(stage);
  const admin = stage.client('admin');
  const wallets: Funded[] = [];
  // The node cannot scan its blocks for two addresses at the same time.
  for (const cell of cells) wallets.push(await fundedWallet(stage, rpc, cell));
  await rpc('strongroom_mine', [1]);
  await rpc('strongroom_setMining', [false]);
  const dead = await Promise.all(wallets.map((funded) => sentPayment(stage, funded)));
  const strangers = await Promise.all(dead.map((one) => strangerOf(stage, rpc, one)));
  await rpc('generateblock', [ANYBODY, strangers]);
  await rpc('strongroom_mine', [CONFIRMATIONS]);
  await rpc('strongroom_setMining', [true]);
  for (const { cell, wallet, id } of dead) {
    const path = `/wallets/${wallet.id}/transfers/${id}`;
    await until(
      'the follower has failed the payment',
      async () => (await admin.get(path, Transfer)).status === 'Failed' || undefined,
    );
    const { items } = await admin.get(`/freezes?status=Active&targetId=${wallet.signingKey.id}`, Freezes);
    for (const freeze of items) await admin.change('DELETE', `/freezes/${freeze.id}`, {}, z.unknown());
    cell.afterId = id;
    cell.wallet = wallet;
  }
}

async function fundedWallet(stage: Stage, rpc: Party['rpc'], cell: Cell): Promise<Funded> {
  const body = { network: LEFT_NETWORK, externalId: `${cell.key}-wallet` };
  const wallet = await stage.client('admin').change('POST', '/wallets', body, Wallet);
  for (let coin = 0; coin < COINS; coin += 1) await rpc('strongroom_fund', [wallet.address, COIN]);
  return { cell, wallet };
}

async function sentPayment(stage: Stage, { cell, wallet }: Funded): Promise<Dead> {
  const admin = stage.client('admin');
  const path = `/wallets/${wallet.id}/transfers`;
  const body = { kind: 'Native', to: cell.recipient, amount: DEAD_UNITS, externalId: `${cell.key}-dead` };
  // The service refuses the request while the node scans its blocks for another address.
  const { id } = await until('the node knows the address', () => admin.change('POST', path, body, Transfer));
  await until(
    'the payment is sent',
    async () => (await admin.get(`${path}/${id}`, Transfer)).status === 'Broadcasted' || undefined,
  );
  return { cell, wallet, id };
}

/** Builds a signed transaction that spends the first coin of the payment, as an attacker with the key could do. */
async function strangerOf(stage: Stage, rpc: Party['rpc'], { wallet, id }: Dead): Promise<string> {
  const [payload] = await stage.sql<{ hex: string }>('SELECT unsigned_hex AS hex FROM payloads WHERE transfer_id = $1', [id]);
  const [input] = decoder.decode(z.object({ hex: z.string() }).parse(payload).hex).inputs;
  if (!input) throw new Error(`${id} spends nothing`);
  const { txid, vout, amountUnits, scriptHex } = input;
  const coin: Coin = { txid, vout, amountUnits, scriptHex, confirmations: 1, isCoinbase: false, isOwnChange: false };
  const publicKeyHex = wallet.signingKey.publicKey.replace(/^0x/, '');
  const intent = { network: LEFT_NETWORK, from: wallet.address, to: wallet.address, publicKeyHex } as const;
  const parent = z.string().parse(await rpc('getrawtransaction', [txid]));
  const unsigned = codec.build(
    { ...intent, amountUnits: amountUnits - STRANGER_FEE_UNITS },
    { coins: [coin], feeUnits: STRANGER_FEE_UNITS, changeUnits: 0n },
    new Map([[txid, parent]]),
  );
  const [asked] = decoder.digestsOf(unsigned.bytesHex, publicKeyHex);
  if (!asked) throw new Error(`the key of ${wallet.address} signs nothing`);
  const admin = stage.client('admin');
  const path = `/keys/${wallet.signingKey.id}/signatures`;
  const body = { kind: 'Hash', hash: Buffer.from(asked.digest).toString('hex') };
  const request = await admin.change('POST', path, body, Signature);
  const signature = await until(
    'the hash is signed',
    async () => (await admin.get(`${path}/${request.id}`, Signature)).signature,
  );
  return codec.attach(unsigned, [signature], publicKeyHex).rawHex;
}

/** The signer must have signed the new transfer once, as the replacement of the failed transfer. No left coin may remain. */
export async function takeOverFaults(stage: Stage, { afterId }: Cell, transferId: string): Promise<readonly string[]> {
  const signed = journalOf(stage)
    .split('\n')
    .filter((line) => line.includes(`"requestId":"${transferId}"`));
  const isNamed = signed.every((line) => line.includes(`"replaces":"${afterId}"`));
  const claims = await stage.sql<{ by: string; after: string | null; left: boolean }>(
    `SELECT transfer_id AS by, after_id AS after, is_left AS left FROM claims WHERE transfer_id = ANY($1) OR after_id = $2`,
    [[transferId, afterId], afterId],
  );
  const taken = claims.filter(({ by, after }) => by === transferId && after === afterId);
  return [
    ...(signed.length === 1 && isNamed ? [] : [`${signed.length} signatures, ${isNamed ? '' : 'not '}after ${afterId}`]),
    ...(taken.length === 1 ? [] : [`${taken.length} coins taken over`]),
    ...(claims.some(({ left }) => left) ? ['a left coin remains'] : []),
  ];
}
