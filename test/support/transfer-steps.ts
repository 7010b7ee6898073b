import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { createHoldActivities } from '../../activities/outgoing/holds';
import { createJudgementActivities } from '../../activities/outgoing/judge';
import { createBroadcastActivities } from '../../activities/outgoing/send';
import { createSigningActivities } from '../../activities/outgoing/sign';
import { createStraightThroughActivities } from '../../activities/outgoing/straight-through';
import { outgoingEnvelopeOf } from '../../application/outgoing/outgoing-envelope';
import { evmCodecOf } from '../../chains/codecs';
import { evmDecoderOf } from '../../chains/decoders';
import type { EvmReader, FeeTerms } from '../../chains/evm/types';
import type { Frozen } from '../../domain/freezes';
import type { Judgement } from '../../domain/judgements';
import type { NetworkName } from '../../domain/networks';
import type { Database, Tx } from '../../entities/database';
import { EventEntity } from '../../entities/events/event.entity';
import { DataKeyEntity } from '../../entities/keys/data-key.entity';
import { KeyEntity } from '../../entities/keys/key.entity';
import { OutboxRowEntity } from '../../entities/outbox/outbox-row.entity';
import { ClaimEntity } from '../../entities/outgoing/claim.entity';
import { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { outgoingStore } from '../../entities/outgoing/outgoing.store';
import { PayloadEntity } from '../../entities/outgoing/payload.entity';
import { verdictStore } from '../../entities/policies/verdict.store';
import { WalletEntity } from '../../entities/wallets/wallet.entity';
import { newId } from '../../platform/ids';
import { createSecretBox } from '../../platform/secret-box';
import type { Withdrawn } from '../../signer/orders/never-sign';
import type { FleetOrders, SignTransferOrder, TransferSignature } from '../../signer/protocol';
import type { VendorAccess } from '../../vendors/call';
import { createFixedPrices } from '../../vendors/prices/fixed';
import { createActor } from './actor';
import { APPROVING } from './approving';
import { ANY_CAUSE } from './causes';
import { RECIPIENT } from './policies';
import { TEST_PRICES } from './prices';
import { REFUSING_SIGNER } from './refusing-signer';
import { createScriptedChain, type ScriptedChain } from './scripted-chain';

const SEPOLIA: NetworkName = 'EthereumSepolia';
export const ETHER = 10n ** 18n;
/** 21,000 gas at 2 gwei. */
export const FEE_UNITS = 42_000_000_000_000n;

/** The answers of the node about the sender. A test changes them in the course of its story. */
export type NodeAnswers = { fees: FeeTerms; chainCount: number; nativeUnits: bigint; tokenUnits: bigint; currencyUnits?: bigint };

export type TransferSteps = {
  readonly orgId: string;
  readonly walletId: string;
  readonly address: string;
  readonly userId: string;
  readonly node: NodeAnswers;
  readonly reader: EvmReader;
  readonly chain: ScriptedChain;
  /** The orders that the signer has received. */
  readonly orders: readonly SignTransferOrder[];
  /** The signatures of a device that the signer has recorded. */
  readonly deviceSignatures: readonly FleetOrders['recordSignatures'][];
  /** Quotes fees as the node does. By default, returns the fees of `node`. */
  readFees: () => Promise<FeeTerms>;
  /** The reasons for which steps have found rows that differ from the judged or approved state. */
  readonly altered: readonly string[];
  /** Answers an order as the signer does. By default, signs the order. */
  sign: (order: SignTransferOrder) => Promise<TransferSignature>;
  /** Answers a withdrawal as the signer does. By default, promises the withdrawal. */
  withdraw: () => Promise<Withdrawn>;
  /** Inserts a row as a request leaves it, but already judged. Returns its id. */
  readonly transfer: (set?: Partial<OutgoingEntity>) => Promise<string>;
  /** Approves a recorded row without a judgement. */
  readonly approve: (id: string) => Promise<void>;
  readonly evaluate: (id: string) => Promise<Judgement>;
  readonly prepare: (id: string) => Promise<string>;
  /** Prepares the transfer, and continues with the steps that are possible at once. */
  readonly prepareThrough: (id: string) => Promise<string>;
  /** The names of the steps that ran inside other steps. */
  readonly reported: string[];
  /** Throws if the deployment is frozen. By default, the deployment is not frozen. */
  thawed: () => Promise<void>;
  /** The vendor that encrypts amounts. By default, no vendor does. */
  encryption: VendorAccess | undefined;
  readonly signTransfer: (id: string) => Promise<string | Frozen>;
  readonly broadcast: (id: string) => Promise<Frozen | undefined>;
  readonly fail: (id: string) => Promise<string>;
  readonly holds: ReturnType<typeof createHoldActivities>;
  /** Prepares, signs and sends a transfer. Returns the transaction id. */
  readonly send: (id: string) => Promise<string>;
  readonly row: (id: string) => Promise<OutgoingEntity>;
  readonly payload: (id: string) => Promise<PayloadEntity>;
  /** The nonce and the state of every claim of the organisation, lowest nonce first. */
  readonly claims: () => Promise<string[]>;
  /** The kind and the version of every event about the record, in order. */
  readonly events: (id: string) => Promise<string[]>;
  /** The name and the argument of every signal to the transfer's workflow, in order. */
  readonly signals: (id: string) => Promise<string[]>;
};

/** Every step of a transfer over real rows. The test determines the behaviour of the node, the chain and the signer. */
export async function createTransferSteps(db: Database, orgId: string, network: NetworkName = SEPOLIA): Promise<TransferSteps> {
  const secretKey = secp256k1.utils.randomSecretKey();
  const publicKey = bytesToHex(secp256k1.getPublicKey(secretKey));
  const address = evmCodecOf(network).addressOf(publicKey);
  const actor = await createActor(db, orgId);
  const { userId } = actor.caller;
  /** Each transfer needs a new action, because a transfer consumes its action. */
  const newAction = async (): Promise<string> => (await actor.authority()).action?.id ?? '';
  const walletId = newId('wallet');
  await db.withOrg(orgId, async (tx) => {
    const [keyId, dataKeyId] = [newId('key'), newId('dataKey')];
    await tx.insert(DataKeyEntity, { orgId, id: dataKeyId, kekId: 'kek', state: 'Active', wrapped: 'aa', commitment: 'bb' });
    const kind = { scheme: 'ECDSA', curve: 'secp256k1', status: 'Active' } as const;
    await tx.insert(KeyEntity, { orgId, id: keyId, ...kind, publicKey, dataKeyId, sealed: 'cc' });
    const wallet = { orgId, id: walletId, network, keyId, status: 'Active' as const, address };
    await tx.insert(WalletEntity, { ...wallet, requestDigest: '', createdBy: userId });
  });

  const node: NodeAnswers = {
    fees: { gas: 21_000n, maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n },
    chainCount: 0,
    nativeUnits: 100n * ETHER,
    tokenUnits: 0n,
  };
  const reader: EvmReader = {
    family: 'evm',
    chainId: async () => '11155111',
    nativeBalance: async () => node.nativeUnits,
    tokenBalance: async () => node.tokenUnits,
    balancesAt: async () => [],
    tokenMetadata: async () => undefined,
    collectible: async () => undefined,
    confidentialBalance: async () => undefined,
    feeBalance: async (_address, feeCurrency) => (feeCurrency === undefined ? node.nativeUnits : (node.currencyUnits ?? 0n)),
    hasCode: async () => true,
    keyedCount: async () => 0,
    hasSponsoring: async () => false,
    sponsoredFees: () => Promise.reject(new Error('no fee is sponsored here')),
    call: () => Promise.reject(new Error('nothing is read from a contract here')),
    leastDataFee: () => Promise.reject(new Error('the minimum fee is not requested here')),
    feeEstimates: () => Promise.reject(new Error('no estimates are requested here')),
    transactionCount: async () => node.chainCount,
    feeTerms: () => steps.readFees(),
    callFees: () => steps.readFees(),
  };
  const chain = createScriptedChain();
  const orders: SignTransferOrder[] = [];
  const deviceSignatures: FleetOrders['recordSignatures'][] = [];
  const signer = {
    ...REFUSING_SIGNER,
    signTransfer: (order: SignTransferOrder) => {
      orders.push(order);
      return steps.sign(order);
    },
    withdraw: () => steps.withdraw(),
    recordSignatures: async (order: FleetOrders['recordSignatures']) => {
      deviceSignatures.push(order);
      return {};
    },
  };
  const altered: string[] = [];
  const approving = { ...APPROVING, causes: ANY_CAUSE, onAltered: (_record: object, why: string) => void altered.push(why) };
  const { evaluateTransfer, failTransfer } = createJudgementActivities({
    ...approving,
    causes: ANY_CAUSE,
    db,
    prices: createFixedPrices(TEST_PRICES),
  });
  const { signTransfer } = createSigningActivities({ ...approving, causes: ANY_CAUSE, db, signer });
  const { broadcastTransfer } = createBroadcastActivities({ db, gateways: () => chain.gateway });
  const { prepareTransfer } = createStraightThroughActivities({
    ...approving,
    db,
    readers: () => reader,
    encryptionAccess: () => steps.encryption,
    causes: ANY_CAUSE,
    signer,
    gateways: () => chain.gateway,
    freeze: { assertThawed: () => steps.thawed() },
    reported: (name, step) => (ref) => {
      steps.reported.push(name);
      return step(ref);
    },
  });
  const of = (transferId: string) => ({ orgId, transferId });
  const reading = () => db.read(orgId);

  const steps: TransferSteps = {
    orgId,
    walletId,
    address,
    userId,
    node,
    reader,
    chain,
    orders,
    deviceSignatures,
    altered,
    readFees: async () => node.fees,
    encryption: undefined,
    sign: async ({ bytesHex }) => signatureOver(network, bytesHex, secretKey),
    withdraw: async () => ({ withdrawn: true }),
    transfer: async (set = {}) => {
      const id = newId('transfer');
      const userActionId = await newAction();
      await db.withOrg(orgId, (tx) =>
        tx.insert(OutgoingEntity, {
          orgId,
          id,
          walletId,
          network,
          requesterUserId: userId,
          userActionId,
          requestBody: { kind: 'Native', to: RECIPIENT, amount: '1' },
          requestDigest: id,
          assetKind: set.contract ? 'Erc20' : 'Native',
          fromAddress: address,
          toAddress: RECIPIENT,
          amountUnits: ETHER.toString(),
          priority: 'Standard',
          assetDecimals: 18,
          feeCeilingUnits: (100n * FEE_UNITS).toString(),
          state: 'Approved',
          policyEpoch: 1,
          ...set,
        }),
      );
      await db.withOrg(orgId, (tx) => clear(tx, id));
      return id;
    },
    approve: async (id) => {
      await db.withOrg(orgId, async (tx) => {
        await tx.update(OutgoingEntity, { id }, { state: 'Approved', policyEpoch: 1 });
        await clear(tx, id);
      });
    },
    evaluate: (id) => evaluateTransfer(of(id)),
    prepare: (id) => prepareTransfer(of(id)),
    prepareThrough: (id) => prepareTransfer({ ...of(id), through: true }),
    reported: [],
    thawed: async () => undefined,
    signTransfer: (id) => signTransfer(of(id)),
    broadcast: (id) => broadcastTransfer(of(id)),
    fail: (id) => failTransfer(of(id)),
    holds: createHoldActivities({ db, mailContents: createSecretBox(Buffer.alloc(32), 'mails') }),
    send: async (id) => {
      const words = [await steps.prepare(id), await steps.signTransfer(id)];
      if (words.join() !== 'Ready,Signed') throw new Error(`the transfer went ${words.join()}`);
      await steps.broadcast(id);
      return (await steps.row(id)).txHash ?? '';
    },
    row: async (id) => (await outgoingStore.find(reading(), id)) ?? fail(`no transfer ${id}`),
    payload: async (id) => (await reading().row(PayloadEntity, 'WHERE t.transfer_id = $1', [id])) ?? fail(`no payload of ${id}`),
    claims: async () => {
      const rows = await reading().rows(ClaimEntity, 'ORDER BY t.value');
      return rows.map(({ value, state }) => `${value} ${state}`);
    },
    events: async (id) => {
      const rows = await reading().rows(EventEntity, 'WHERE t.aggregate_id = $1 ORDER BY t.id', [id]);
      return rows.map(({ kind, aggregateVersion }) => `${kind} ${aggregateVersion}`);
    },
    signals: async (id) => {
      const rows = await reading().rows(OutboxRowEntity, `WHERE t.aggregate_id = $1 AND t.kind = 'signal' ORDER BY t.id`, [id]);
      return rows.map(({ routing }) => [routing['signal'], routing['argument']].filter(Boolean).join(' '));
    },
  };
  return steps;
}

/** Records the verdict `Cleared` for a row in a state that comes after the judgement. */
async function clear(tx: Tx, id: string): Promise<void> {
  const row = await outgoingStore.lock(tx, id);
  if (row.verdictId !== null || row.state === 'Requested' || row.state === 'AwaitingApproval') return;
  const verdictId = await verdictStore.record(tx, {
    ...{ activityKind: 'Wallets:Sign', activityId: id, policyEpoch: row.policyEpoch ?? 1, outcome: 'Cleared' },
    ...{ facts: { envelope: outgoingEnvelopeOf(row) }, evaluations: [], shadows: [] },
  });
  await tx.update(OutgoingEntity, { id }, { verdictId });
}

function fail(message: string): never {
  throw new Error(message);
}

/** The answer of the real signer: a low-S signature over the digest of the bytes, with its recovery bit. */
function signatureOver(network: NetworkName, bytesHex: string, secretKey: Uint8Array): TransferSignature {
  const digest = evmDecoderOf(network).digestOf(bytesHex);
  const recovered = secp256k1.sign(digest, secretKey, { prehash: false, format: 'recovered' });
  const hex = bytesToHex(recovered);
  const recoveryId = recovered[0] === 1 ? 1 : 0;
  return { signature: { r: `0x${hex.slice(2, 66)}`, s: `0x${hex.slice(66)}`, recoveryId }, digestHex: `0x${bytesToHex(digest)}` };
}
