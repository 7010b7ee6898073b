import { secp256k1 } from '@noble/curves/secp256k1.js';
import { evmCodecOf } from '../../../chains/codecs';
import { evmDecoderOf } from '../../../chains/decoders';
import type { FeeTerms, Signature, TransactionInput } from '../../../chains/evm/types';
import { inFamily } from '../../../chains/families';
import { networkOf } from '../../../chains/networks';
import type { TransferIntent } from '../../../chains/types';
import { NETWORKS_OF, type NetworkName } from '../../../domain/networks';
import vectors from './vectors.json';

const SECRET = new Uint8Array(32).fill(1);
const FROM = '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1';
const TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const NONCE = 9;
const GWEI = 10n ** 9n;
const TRANSFERS: Partial<Readonly<Record<string, (typeof vectors.transfers)['Ethereum']>>> = vectors.transfers;

function sign(digestHex: string): Signature {
  const digest = Buffer.from(digestHex.slice(2), 'hex');
  const hex = Buffer.from(secp256k1.sign(digest, SECRET, { prehash: false, format: 'recovered' })).toString('hex');
  return { r: `0x${hex.slice(2, 66)}`, s: `0x${hex.slice(66)}`, recoveryId: hex.startsWith('01') ? 1 : 0 };
}

/** The transfer of the vectors: 10^15 wei, or five units of the dollar token on a network without a native coin. */
function transferOn(network: NetworkName): { readonly intent: TransferIntent; readonly fees: FeeTerms } {
  const record = inFamily('evm', networkOf(network));
  const parties = { network, from: FROM, to: TO };
  if (record.variant === 'tempo') {
    const asset = { kind: 'Erc20', contract: record.feeToken.contract } as const;
    const fees = { gas: 60_000n, maxFeePerGas: 20n * GWEI, maxPriorityFeePerGas: GWEI };
    return { intent: { ...parties, amountUnits: 5n, asset }, fees };
  }
  const fees = { gas: 21_000n, maxFeePerGas: 3n * GWEI, maxPriorityFeePerGas: GWEI };
  return { intent: { ...parties, amountUnits: 10n ** 15n, asset: { kind: 'Native' } }, fees };
}

test.each(NETWORKS_OF.evm)('%s: a signed transfer has the same bytes as that of an independent implementation', (network) => {
  const codec = evmCodecOf(network);
  const { intent, fees } = transferOn(network);
  const unsigned = codec.build(intent, NONCE, fees);
  expect(codec.attach(unsigned, sign(unsigned.digestHex), FROM)).toEqual({
    rawHex: TRANSFERS[network]?.raw,
    txHash: TRANSFERS[network]?.txHash,
  });
  const { recipient, amountUnits, asset, opaque } = evmDecoderOf(network).decode(unsigned.bytesHex);
  expect({ recipient, amountUnits, asset, opaque }).toEqual({
    recipient: TO,
    amountUnits: intent.amountUnits,
    asset: intent.asset,
    opaque: [],
  });
});

const base = { to: TO, value: '1000000000000000', nonce: NONCE, gasLimit: 90_000 };
const prices = { maxFeePerGas: '3000000000', maxPriorityFeePerGas: '1000000000' };
const data = `0xa9059cbb${TO.slice(2).toLowerCase().padStart(64, '0')}${'5'.padStart(64, '0')}`;
const TOKEN = '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238';
const CALLS: readonly (readonly [keyof typeof vectors.calls, TransactionInput])[] = [
  ['type 0', { ...base, type: 0, gasPrice: '3000000000' }],
  ['type 1', { ...base, type: 1, gasPrice: '3000000000', accessList: [{ address: TO, storageKeys: [`0x${'11'.repeat(32)}`] }] }],
  ['type 2 with data', { ...base, ...prices, type: 2, to: TOKEN, value: 0, data }],
  ['type 4', { ...base, ...prices, type: 4, authorizationList: [vectors.authorization] }],
];

test.each(CALLS)('a signed raw transaction of %s has the same bytes as that of an independent implementation', (name, input) => {
  const codec = evmCodecOf('EthereumSepolia');
  const { call } = codec.termsOf(input, FROM, 'body');
  const unsigned = codec.buildCall(call, NONCE, { gas: 90_000n, maxFeePerGas: 3n * GWEI, maxPriorityFeePerGas: GWEI });
  const { raw, txHash } = vectors.calls[name];
  expect(codec.attach(unsigned, sign(unsigned.digestHex), FROM)).toEqual({ rawHex: raw, txHash });
});
