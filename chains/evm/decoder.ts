import { keccak_256 } from '@noble/hashes/sha3.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import { addr, Transaction, type TxCoder } from 'micro-eth-signer';
import { readCall, TOKEN_TRANSFER, unreadableCall, with0x } from './decoder-calls';
import type { DecodedTx, EvmDecoder } from './types';

const unreadable = (reason: string): DecodedTx => ({
  chainId: 0,
  nonce: 0,
  recipient: '',
  amountUnits: 0n,
  asset: { kind: 'Native' },
  maxFeeUnits: 0n,
  opaque: [reason],
});

/** Reads one wire form only: the exact bytes the network hashes must be the canonical encoding of what was read. */
function read(bytesHex: string): DecodedTx {
  const tx = Transaction.fromHex(bytesHex);
  if (tx.type !== 'eip1559') return unreadable(`transaction type ${tx.type}`);
  const raw = tx.raw as TxCoder<'eip1559'>;
  const opaque: string[] = [];
  if (tx.isSigned || tx.toHex({ includeSignature: false }) !== bytesHex) opaque.push('encoding');
  if (raw.accessList.length > 0) opaque.push('access list');
  if (raw.nonce > BigInt(Number.MAX_SAFE_INTEGER)) opaque.push('nonce');
  if (raw.chainId > BigInt(Number.MAX_SAFE_INTEGER)) opaque.push('chain id');
  if (!/^0x[0-9a-f]{40}$/i.test(with0x(raw.to))) return unreadable('contract creation');

  const common: Pick<DecodedTx, 'chainId' | 'nonce' | 'maxFeeUnits'> = {
    chainId: Number(raw.chainId),
    nonce: Number(raw.nonce),
    maxFeeUnits: raw.gasLimit * raw.maxFeePerGas,
  };
  const target = addr.addChecksum(raw.to);
  const data = with0x(raw.data);
  if (data === '0x') return { ...common, recipient: target, amountUnits: raw.value, asset: { kind: 'Native' }, opaque };

  const [, recipient, amount] = TOKEN_TRANSFER.exec(data) ?? [];
  if (recipient === undefined || amount === undefined) return { ...unreadable('call data'), ...common };
  if (raw.value !== 0n) opaque.push('value beside a token transfer');
  return {
    ...common,
    recipient: addr.addChecksum(`0x${recipient}`),
    amountUnits: BigInt(`0x${amount}`),
    asset: { kind: 'Erc20', contract: target },
    opaque,
  };
}

/** The second opinion on EVM bytes, with micro-eth-signer: nothing here is shared with the code that builds them. */
export const evmDecoder: EvmDecoder = {
  family: 'evm',
  decode(bytesHex) {
    try {
      return read(bytesHex);
    } catch {
      return unreadable('bytes');
    }
  },
  decodeCall(bytesHex) {
    try {
      return readCall(bytesHex);
    } catch {
      return unreadableCall('bytes');
    }
  },
  digestOf: (bytesHex) => keccak_256(hexToBytes(bytesHex.slice(2))),
  addressOf: (publicKeyHex) => addr.fromPublicKey(publicKeyHex),
  sameAddress: (a, b) => a.length === 42 && a.toLowerCase() === b.toLowerCase(),
};
