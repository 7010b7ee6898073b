import { addr } from 'micro-eth-signer';
import { COLLECTIBLE_TRANSFER, TOKEN_TRANSFER, with0x } from './decoder-calls';
import { confidentialTransferIn, isUint64On } from './decoder-confidential';
import type { DecodedTx } from './types';

export const unreadable = (reason: string): DecodedTx => ({
  chainId: 0,
  nonce: 0,
  recipient: '',
  amountUnits: 0n,
  asset: { kind: 'Native' },
  maxFeeUnits: 0n,
  opaque: [reason],
});

/** Hexadecimal text may have the prefix 0x. */
export type Call = {
  readonly chainId: bigint;
  readonly nonce: bigint;
  readonly to: string;
  readonly value: bigint;
  readonly data: string;
  readonly maxFeeUnits: bigint;
  readonly opaque: readonly string[];
  readonly feeCurrency?: string;
  readonly nonceKey?: bigint;
};

/**
 * Reads the transfer in a call. The call must be exactly one of these: a plain payment, `transfer(address,uint256)`,
 * `safeTransferFrom(address,address,uint256)` or `confidentialTransfer(address,bytes32,bytes)`.
 */
export function transferIn(call: Call): DecodedTx {
  const { chainId, nonce, to, value, data: written, maxFeeUnits, opaque: before, feeCurrency, nonceKey } = call;
  const opaque = [...before];
  if (nonce > BigInt(Number.MAX_SAFE_INTEGER)) opaque.push('nonce');
  if (chainId > BigInt(Number.MAX_SAFE_INTEGER)) opaque.push('chain id');
  if (!/^0x[0-9a-f]{40}$/i.test(with0x(to))) return unreadable('contract creation');

  const common = {
    chainId: Number(chainId),
    nonce: Number(nonce),
    maxFeeUnits,
    ...(feeCurrency === undefined ? {} : { feeCurrency }),
    ...(nonceKey === undefined ? {} : { nonceKey }),
  };
  const target = addr.addChecksum(with0x(to));
  const data = with0x(written);
  if (data === '0x') return { ...common, recipient: target, amountUnits: value, asset: { kind: 'Native' }, opaque };

  if (value !== 0n) opaque.push('value in addition to a token transfer');
  const [, recipient, amount] = TOKEN_TRANSFER.exec(data) ?? [];
  if (recipient !== undefined && amount !== undefined) {
    const asset = { kind: 'Erc20', contract: target } as const;
    return { ...common, recipient: addr.addChecksum(`0x${recipient}`), amountUnits: BigInt(`0x${amount}`), asset, opaque };
  }
  const hidden = confidentialTransferIn(data);
  if (hidden) {
    // A handle for another chain, or for anything but a 64-bit number, cannot be the amount of this transfer.
    if (!isUint64On(chainId, hidden.encrypted.handle)) opaque.push('encrypted amount');
    return { ...common, ...hidden, amountUnits: 0n, asset: { kind: 'Erc7984', contract: target }, opaque };
  }
  const [, owner, receiver, tokenId] = COLLECTIBLE_TRANSFER.exec(data) ?? [];
  if (owner === undefined || receiver === undefined || tokenId === undefined) return { ...unreadable('call data'), ...common };
  return {
    ...common,
    recipient: addr.addChecksum(`0x${receiver}`),
    owner: addr.addChecksum(`0x${owner}`),
    amountUnits: 1n,
    asset: { kind: 'Erc721', contract: target, tokenId: BigInt(`0x${tokenId}`).toString() },
    opaque,
  };
}
