import { z } from 'zod';
import { Data, Hash } from '../../rpc/rpc';

/** Quantities stay hex, because the proof of a block hashes them. Only the few quantities of watched addresses become numbers. */
const Hex = z.string().regex(/^0x[0-9a-f]*$/i);
const Address = z.string().regex(/^0x[0-9a-f]{40}$/i);
const AccessList = z.array(z.object({ address: Address, storageKeys: z.array(Hash) }));
const Authorization = z.object({ chainId: Hex, address: Address, nonce: Hex, yParity: Hex, r: Hex, s: Hex });
export type AuthorizationReply = z.output<typeof Authorization>;
const Withdrawal = z.object({ index: Hex, validatorIndex: Hex, address: Address, amount: Hex });

export const TransactionReply = z.object({
  hash: Hash,
  type: Hex.default('0x0'),
  chainId: Hex.nullish(),
  nonce: Hex,
  from: Address,
  to: Address.nullish(),
  value: Hex,
  input: Data,
  gas: Hex,
  gasPrice: Hex.nullish(),
  maxFeePerGas: Hex.nullish(),
  maxPriorityFeePerGas: Hex.nullish(),
  maxFeePerBlobGas: Hex.nullish(),
  blobVersionedHashes: z.array(Hash).nullish(),
  accessList: AccessList.nullish(),
  authorizationList: z.array(Authorization).nullish(),
  /** The token that pays the fee (CIP-64). */
  feeCurrency: Address.nullish(),
  /** The token that pays the fee on Tempo. */
  feeToken: Address.nullish(),
  yParity: Hex.nullish(),
  v: Hex.nullish(),
  r: Hex.nullish(),
  s: Hex.nullish(),
});
export type TransactionReply = z.output<typeof TransactionReply>;

export const FullBlockReply = z.object({
  hash: Hash,
  parentHash: Hash,
  sha3Uncles: Hash,
  miner: Address,
  stateRoot: Hash,
  transactionsRoot: Hash,
  receiptsRoot: Hash,
  logsBloom: Data,
  difficulty: Hex.default('0x0'),
  number: Hex,
  gasLimit: Hex,
  gasUsed: Hex,
  timestamp: Hex,
  extraData: Data,
  mixHash: Hash.nullish(),
  nonce: Data.nullish(),
  baseFeePerGas: Hex.nullish(),
  withdrawalsRoot: Hash.nullish(),
  blobGasUsed: Hex.nullish(),
  excessBlobGas: Hex.nullish(),
  parentBeaconBlockRoot: Hash.nullish(),
  requestsHash: Hash.nullish(),
  transactions: z.array(TransactionReply),
  withdrawals: z.array(Withdrawal).nullish(),
});
export type FullBlockReply = z.output<typeof FullBlockReply>;

const LogReply = z.object({ address: Address, topics: z.array(Hash).max(4), data: Data, logIndex: Hex });
export type LogReply = z.output<typeof LogReply>;

export const ReceiptReply = z.object({
  transactionHash: Hash,
  blockHash: Hash,
  type: Hex.default('0x0'),
  status: Hex.nullish(),
  root: Data.nullish(),
  cumulativeGasUsed: Hex,
  gasUsed: Hex,
  effectiveGasPrice: Hex.nullish(),
  logsBloom: Data,
  logs: z.array(LogReply),
  contractAddress: Address.nullish(),
  l1Fee: Hex.nullish(),
  operatorFeeScalar: Hex.nullish(),
  operatorFeeConstant: Hex.nullish(),
  blobGasUsed: Hex.nullish(),
  blobGasPrice: Hex.nullish(),
  depositNonce: Hex.nullish(),
  depositReceiptVersion: Hex.nullish(),
});
export type ReceiptReply = z.output<typeof ReceiptReply>;

/** A frame of the call tracer. `calls` are the frames of the calls that this call makes. */
export type TraceFrame = {
  readonly type: string;
  readonly from: string;
  readonly to?: string | undefined;
  readonly value?: string | undefined;
  readonly error?: string | undefined;
  readonly calls?: readonly TraceFrame[] | undefined;
};
const TraceFrame: z.ZodType<TraceFrame> = z.lazy(() =>
  z.object({
    type: z.string(),
    from: Address,
    to: Address.optional(),
    value: Hex.optional(),
    error: z.string().optional(),
    calls: z.array(TraceFrame).optional(),
  }),
);
/** A transaction that the node could not trace has an error instead of a result. */
export const BlockTraceReply = z.array(z.object({ txHash: Hash.optional(), result: TraceFrame.optional() }));
