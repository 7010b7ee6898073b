import { z } from 'zod';
import { Data, Hash } from '../../rpc/rpc';

/** Quantities stay hex, because the proof of a block hashes them. Only the few quantities of watched addresses become numbers. */
export const HexText = z.string().regex(/^0x[0-9a-f]*$/i);
export const AddressText = z.string().regex(/^0x[0-9a-f]{40}$/i);
const AccessList = z.array(z.object({ address: AddressText, storageKeys: z.array(Hash) }));
const Authorization = z.object({
  chainId: HexText,
  address: AddressText,
  nonce: HexText,
  yParity: HexText,
  r: HexText,
  s: HexText,
});
export type AuthorizationReply = z.output<typeof Authorization>;
const Withdrawal = z.object({ index: HexText, validatorIndex: HexText, address: AddressText, amount: HexText });

const Call = z.object({ to: AddressText.nullish(), value: HexText, input: Data });

const AnyTransaction = z.object({
  hash: Hash,
  type: HexText.default('0x0'),
  chainId: HexText.nullish(),
  nonce: HexText,
  from: AddressText,
  to: AddressText.nullish(),
  value: HexText.optional(),
  input: Data.optional(),
  gas: HexText,
  gasPrice: HexText.nullish(),
  maxFeePerGas: HexText.nullish(),
  maxPriorityFeePerGas: HexText.nullish(),
  maxFeePerBlobGas: HexText.nullish(),
  blobVersionedHashes: z.array(Hash).nullish(),
  accessList: AccessList.nullish(),
  authorizationList: z.array(Authorization).nullish(),
  /** The token that pays the fee (CIP-64). */
  feeCurrency: AddressText.nullish(),
  /** Only Tempo has the members from here to `keyAuthorization` (type 0x76). `calls` replaces the single value and input. */
  calls: z.array(Call).nullish(),
  feeToken: AddressText.nullish(),
  nonceKey: HexText.nullish(),
  validBefore: HexText.nullish(),
  validAfter: HexText.nullish(),
  feePayerSignature: z.object({ r: HexText, s: HexText, yParity: HexText }).nullish(),
  /**
   * `tempo-schemas.ts` defines the forms of the next three members. The block must stay readable even if a member has an unknown
   * form.
   */
  signature: z.unknown().optional(),
  aaAuthorizationList: z.unknown().optional(),
  keyAuthorization: z.unknown().optional(),
  /** The members of a deposit into a rollup of the OP stack (type 0x7e). */
  sourceHash: Hash.nullish(),
  mint: HexText.nullish(),
  isSystemTx: z.boolean().nullish(),
  yParity: HexText.nullish(),
  v: HexText.nullish(),
  r: HexText.nullish(),
  s: HexText.nullish(),
});
/** If a node leaves out the value of a payment, the payment must not be read as a payment of zero. */
export const TransactionReply = AnyTransaction.refine(
  ({ calls, value, input }) => Boolean(calls) || (value !== undefined && input !== undefined),
  'a transaction has a value and an input, or calls',
);
export type TransactionReply = z.output<typeof TransactionReply>;

export const FullBlockReply = z.object({
  hash: Hash,
  parentHash: Hash,
  sha3Uncles: Hash,
  miner: AddressText,
  stateRoot: Hash,
  transactionsRoot: Hash,
  receiptsRoot: Hash,
  logsBloom: Data,
  difficulty: HexText.default('0x0'),
  number: HexText,
  gasLimit: HexText,
  gasUsed: HexText,
  timestamp: HexText,
  extraData: Data,
  mixHash: Hash.nullish(),
  nonce: Data.nullish(),
  baseFeePerGas: HexText.nullish(),
  withdrawalsRoot: Hash.nullish(),
  blobGasUsed: HexText.nullish(),
  excessBlobGas: HexText.nullish(),
  parentBeaconBlockRoot: Hash.nullish(),
  requestsHash: Hash.nullish(),
  blockAccessListHash: Hash.nullish(),
  slotNumber: HexText.nullish(),
  /** Only Tempo has the members from here to `consensusContext`. */
  mainBlockGeneralGasLimit: HexText.nullish(),
  sharedGasLimit: HexText.nullish(),
  timestampMillisPart: HexText.nullish(),
  consensusContext: z.object({ epoch: z.int(), view: z.int(), parentView: z.int(), proposer: Hash }).nullish(),
  transactions: z.array(TransactionReply),
  withdrawals: z.array(Withdrawal).nullish(),
});
export type FullBlockReply = z.output<typeof FullBlockReply>;

const LogReply = z.object({ address: AddressText, topics: z.array(Hash).max(4), data: Data, logIndex: HexText });
export type LogReply = z.output<typeof LogReply>;

export const ReceiptReply = z.object({
  transactionHash: Hash,
  blockHash: Hash,
  type: HexText.default('0x0'),
  status: HexText.nullish(),
  root: Data.nullish(),
  cumulativeGasUsed: HexText,
  gasUsed: HexText,
  effectiveGasPrice: HexText.nullish(),
  logsBloom: Data,
  logs: z.array(LogReply),
  contractAddress: AddressText.nullish(),
  l1Fee: HexText.nullish(),
  operatorFeeScalar: HexText.nullish(),
  operatorFeeConstant: HexText.nullish(),
  blobGasUsed: HexText.nullish(),
  blobGasPrice: HexText.nullish(),
  depositNonce: HexText.nullish(),
  depositReceiptVersion: HexText.nullish(),
});
export type ReceiptReply = z.output<typeof ReceiptReply>;
