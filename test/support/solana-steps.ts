import { ed25519 } from '@noble/curves/ed25519.js';
import { z } from 'zod';
import { createTransferPreparation } from '../../activities/outgoing/prepare';
import { createBroadcastActivities } from '../../activities/outgoing/send';
import { createSigningActivities } from '../../activities/outgoing/sign';
import { solanaCodecOf } from '../../chains/codecs';
import { createRpc } from '../../chains/rpc/rpc';
import { createSolanaGateway } from '../../chains/solana/gateway';
import { createSolanaReader } from '../../chains/solana/reader';
import type { SolanaLifetime } from '../../chains/solana/types';
import { nonceSeeds } from '../../domain/nonce-accounts';
import type { Database } from '../../entities/database';
import { feeSponsorStore } from '../../entities/fee-sponsors/fee-sponsor.store';
import { ClaimEntity } from '../../entities/outgoing/claim.entity';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { WalletEntity } from '../../entities/wallets/wallet.entity';
import { newId } from '../../platform/ids';
import type { SignSolanaOrder } from '../../signer/protocol';
import type { TestBank } from '../local/solana/bank';
import { APPROVING } from './approving';
import { ANY_CAUSE } from './causes';
import { REFUSING_SIGNER } from './refusing-signer';
import { createTransferSteps } from './transfer-steps';

const network = 'SolanaDevnet' as const;
export const SOL = 1_000_000_000n;
const codec = solanaCodecOf(network);

function newKey() {
  const { secretKey, publicKey } = ed25519.keygen();
  return { secretKey, address: codec.addressOf(Buffer.from(publicKey).toString('hex')) };
}
type Key = ReturnType<typeof newKey>;
const signed = ({ secretKey }: Key, bytesHex: string) =>
  `0x${Buffer.from(ed25519.sign(Buffer.from(bytesHex.slice(2), 'hex'), secretKey)).toString('hex')}`;

export type SolanaSteps = Awaited<ReturnType<typeof createSolanaSteps>>;

/**
 * The steps of a transfer on Solana over real rows, with a bank (a test ledger that acts as the node), two nodes and two keys.
 * Only the signer is a fake.
 */
export async function createSolanaSteps(db: Database, orgId: string, bank: TestBank) {
  const [steps, paying] = [await createTransferSteps(db, orgId), await createTransferSteps(db, orgId)];
  const rpc = createRpc(network, [bank.url]);
  const [reader, gateway] = [createSolanaReader(network, rpc), createSolanaGateway(network, rpc, [rpc, rpc])];
  const [wallet, sponsor, recipient] = [newKey(), newKey(), newKey().address];
  for (const address of [wallet.address, recipient]) bank.call('requestAirdrop', address, Number(SOL));
  bank.call('strongroom_advanceSlots', 8);

  const feeSponsorId = newId('feeSponsor');
  const named = { id: feeSponsorId, name: null, walletId: paying.walletId, network, allowEndUser: false, userActionId: '' };
  await db.withOrg(orgId, (tx) => feeSponsorStore.add(tx, named));

  const orders: SignSolanaOrder[] = [];
  const signer = {
    ...REFUSING_SIGNER,
    withdraw: steps.withdraw,
    signSolana: async (order: SignSolanaOrder) => {
      orders.push(order);
      const { bytesHex, walletSignatureHex } = order;
      const hex = signed(walletSignatureHex === undefined ? wallet : sponsor, bytesHex);
      return { digestHex: '0x', signatures: [{ r: `0x${hex.slice(2, 66)}`, s: `0x${hex.slice(66)}` }] };
    },
  };
  const { prepareTransfer } = createTransferPreparation({
    ...APPROVING,
    db,
    readers: () => reader,
    encryptionAccess: () => undefined,
  });
  const { signTransfer } = createSigningActivities({ ...APPROVING, causes: ANY_CAUSE, db, signer });
  const { broadcastTransfer } = createBroadcastActivities({ db, gateways: () => gateway });
  const prepare = (transferId: string) => prepareTransfer({ orgId, transferId });

  /** Signs bytes with the wallet's key and sends them, without the knowledge of the service. */
  const sendBehindOurBack = async (bytesHex: string): Promise<void> => {
    const unsigned = { bytesHex, digestHex: '0x', maxFeeUnits: 0n };
    const { rawHex, txHash } = codec.attach(unsigned, signed(wallet, bytesHex), wallet.address);
    const outcome = await gateway.broadcast(rawHex, txHash);
    if (outcome !== 'Accepted') throw new Error(`the bank returned ${JSON.stringify(outcome)}`);
    bank.call('strongroom_advanceSlots', 4);
  };
  const blockhash = async (): Promise<SolanaLifetime> => ({ kind: 'blockhash', ...(await reader.latestBlockhash()) });

  return {
    ...{ db, orgId, bank, reader, gateway, wallet, sponsor, recipient, prepare, blockhash, sendBehindOurBack },
    orders,
    ...{ row: steps.row, payload: steps.payload, signals: steps.signals, approve: steps.approve, walletId: steps.walletId },
    bySponsor: { feeSponsorId, sponsorAddress: sponsor.address },

    /** Makes the node accept all transactions, or those with these ids, without ever putting them into a block. */
    drop: (drops: boolean | readonly string[]) => rpc('strongroom_dropTransactions', [drops], z.unknown()),

    /** Inserts a row as a request leaves it, but already judged. Returns its id. */
    transfer: (set: Partial<OutgoingEntity> = {}): Promise<string> =>
      steps.transfer({
        ...{ network, fromAddress: wallet.address, toAddress: recipient, amountUnits: '1000000', assetDecimals: 9 },
        ...{ feeCeilingUnits: '3000000', ...set },
      }),

    /** The key, the user and the user action of a request. */
    grounds: async () => {
      const found = await db.read(orgId).row(WalletEntity, 'WHERE t.id = $1', [steps.walletId]);
      const { requesterUserId, userActionId } = await steps.row(await steps.transfer({ state: 'Failed' }));
      return { keyId: found?.keyId ?? '', requesterUserId, userActionId: userActionId ?? '' };
    },

    /** Prepares, signs and sends a transfer. Returns the transaction id. */
    send: async (transferId: string): Promise<string> => {
      const words = [await prepare(transferId), await signTransfer({ orgId, transferId })];
      if (words.join() !== 'Ready,Signed') throw new Error(`the transfer went ${words.join()}`);
      await broadcastTransfer({ orgId, transferId });
      return (await steps.row(transferId)).txHash ?? '';
    },

    /** Creates this number of accounts for durable nonces of the wallet, and returns their nonces. */
    makeNonces: async (count: number): Promise<Extract<SolanaLifetime, { kind: 'durable-nonce' }>[]> => {
      const from = wallet.address;
      const seeds = nonceSeeds.slice(0, count);
      const accounts = await Promise.all(seeds.map(async (seed) => ({ seed, address: await codec.seedAddress(from, seed) })));
      const { bytesHex } = codec.buildNonceAccounts(
        { from, authority: from, accounts, rentUnits: 1_500_000n },
        { lifetime: await blockhash(), computeUnitLimit: 10_000, microLamportsPerUnit: 0n },
      );
      await sendBehindOurBack(bytesHex);
      const nonces = await reader.nonces(accounts.map(({ address }) => address));
      return nonces.flatMap((nonce, index) =>
        nonce ? [{ kind: 'durable-nonce' as const, account: accounts[index]?.address ?? '', ...nonce }] : [],
      );
    },

    /** Every claim of the organisation, in the order of the keys. */
    claims: async () => {
      const rows = await db.read(orgId).rows(ClaimEntity, 'ORDER BY t.key');
      return rows.map(({ kind, key, lane, transferId, state }) => ({ kind, key, lane, transferId, state }));
    },
  };
}

/** The bytes of a payment of one lamport with the wallet's first durable nonce. Each holder of the key can build these bytes. */
export async function advanceOf({ wallet, recipient, reader }: SolanaSteps): Promise<string> {
  const account = await codec.seedAddress(wallet.address, nonceSeeds[0] ?? '');
  const [nonce] = await reader.nonces([account]);
  if (!nonce) throw new Error('the nonce account is missing');
  const lifetime = { kind: 'durable-nonce' as const, account, ...nonce };
  const intent = { network, from: wallet.address, to: recipient, amountUnits: 1n, asset: { kind: 'Native' as const } };
  return codec.build(intent, { lifetime, computeUnitLimit: 10_000, microLamportsPerUnit: 0n }).bytesHex;
}
