import fc from 'fast-check';
import { evmCodecOf } from '../../../chains/codecs';
import type { FeeTerms } from '../../../chains/evm/types';
import type { TransferIntent } from '../../../chains/types';

export const TOKEN = '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238';
export const codec = evmCodecOf('EthereumSepolia');

const word = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => codec.parseAddress(`0x${Buffer.from(bytes).toString('hex')}`));
const asset = fc.oneof(
  fc.constant({ kind: 'Native' } as const),
  address.map((contract) => ({ kind: 'Erc20', contract }) as const),
);

const collectible = fc
  .tuple(address, word)
  .map(([contract, tokenId]) => ({ kind: 'Erc721', contract, tokenId: tokenId.toString() }) as const);
const amountUnits = fc.oneof(word, fc.bigInt({ min: 0n, max: 300n }));
const parties = { network: fc.constant('EthereumSepolia' as const), from: address, to: address };

export const anyIntent: fc.Arbitrary<TransferIntent> = fc.oneof(
  fc.record({ ...parties, amountUnits, asset }),
  fc.record({ ...parties, amountUnits: fc.constant(1n), asset: collectible }),
);

const price = fc.bigInt({ min: 0n, max: 10n ** 13n });

export const anyFees: fc.Arbitrary<FeeTerms> = fc
  .tuple(fc.bigInt({ min: 1n, max: 30_000_000n }), price, price)
  .map(([gas, tip, rest]) => ({ gas, maxFeePerGas: tip + rest, maxPriorityFeePerGas: tip }));

export const anyNonce = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
