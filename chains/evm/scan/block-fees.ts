import type { ReceiptReply, TransactionReply } from './block-schemas';

const OPERATOR_FEE_SCALE = 1_000_000n;
const big = (text: string | null | undefined): bigint => (text === undefined || text === null ? 0n : BigInt(text));

/**
 * The fee in the native coin's smallest units, including the fees that a chain of the OP stack adds for data and for its operator
 * (https://specs.optimism.io/protocol/isthmus/exec-engine.html). Undefined if the transaction pays in a token, or if the node
 * does not report a price.
 */
export function feeOf({ feeCurrency }: TransactionReply, receipt: ReceiptReply): bigint | undefined {
  const { effectiveGasPrice } = receipt;
  if (feeCurrency || effectiveGasPrice === undefined || effectiveGasPrice === null) return undefined;
  const gas = BigInt(receipt.gasUsed);
  const operator = (gas * big(receipt.operatorFeeScalar)) / OPERATOR_FEE_SCALE + big(receipt.operatorFeeConstant);
  return gas * BigInt(effectiveGasPrice) + big(receipt.l1Fee) + operator + big(receipt.blobGasUsed) * big(receipt.blobGasPrice);
}
