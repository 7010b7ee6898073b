// npm run new:network -- <Name> <family> <chain id> [mainnet]: the record of a network, its registrations, and vectors made by an
// implementation that is not ours. The author checks every number of the record.
import { generate, kebab } from './tree.mjs';

const USAGE = `Usage: npm run new:network -- <Name> <family> <chain id> [mainnet]
  <Name> as the published interface has it (BaseSepolia); the family is evm.`;
const NAME = /^[A-Z][a-zA-Z0-9]*$/;
const CHAIN_ID = /^[1-9]\d{0,15}$/;
const FAMILIES = ['evm'];

const constantOf = (name) => name[0].toLowerCase() + name.slice(1);
const grouped = (digits) => digits.replaceAll(/\B(?=(\d{3})+$)/g, '_');

/** The ceilings of the smallest network there is: a transfer that needs more is refused until its author has looked. */
const recordFile = ({ name, constant, chainId, isMainnet }) => `import type { Network } from '../../types';

export const ${constant}: Network = {
  name: '${name}',
  family: 'evm',
  isMainnet: ${isMainnet},
  chainId: ${grouped(chainId)},
  curve: 'secp256k1',
  scheme: 'ECDSA',
  nativeAsset: { symbol: 'ETH', decimals: 18 },
  confirmations: 12,
  feeCeilingUnits: 1_000_000_000_000_000n,
  signerFeeCeilingUnits: 5_000_000_000_000_000n,
  inFlightMax: 16,
  slip44: ${isMainnet ? 60 : 1},
  tokens: [],
};
`;

const testFile = ({ name, chainId }) => `import { Transaction } from 'micro-eth-signer';
import { codecOf } from '../../../../chains/codecs';
import { decoderOf } from '../../../../chains/decoders';
import type { TransferIntent } from '../../../../chains/types';

const FROM = '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1';
const FEES = { gas: 21_000n, maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };
const INTENT: TransferIntent = {
  network: '${name}',
  from: FROM,
  to: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  amountUnits: 1_000_000_000_000_000n,
  asset: { kind: 'Native' },
};

test('the bytes to sign are those of an independent implementation for chain ${chainId}', () => {
  const other = Transaction.prepare({
    chainId: ${grouped(chainId)}n,
    nonce: 7n,
    to: INTENT.to,
    value: INTENT.amountUnits,
    gasLimit: FEES.gas,
    maxFeePerGas: FEES.maxFeePerGas,
    maxPriorityFeePerGas: FEES.maxPriorityFeePerGas,
  });
  expect(codecOf('${name}').build(INTENT, 7, FEES).bytesHex).toBe(other.toHex({ includeSignature: false }));
});

test('the decoder reads back what was meant, and the chain', () => {
  expect(decoderOf('${name}').decode(codecOf('${name}').build(INTENT, 7, FEES).bytesHex)).toEqual({
    chainId: ${grouped(chainId)},
    nonce: 7,
    recipient: INTENT.to,
    amountUnits: INTENT.amountUnits,
    asset: INTENT.asset,
    maxFeeUnits: FEES.gas * FEES.maxFeePerGas,
    opaque: [],
  });
});
`;

await generate(
  USAGE,
  (tree, [name = '', family = '', chainId = '', kind, ...rest], refuse) => {
    const isMainnet = kind === 'mainnet';
    if (!NAME.test(name) || !FAMILIES.includes(family) || !CHAIN_ID.test(chainId)) refuse();
    if (rest.length > 0 || (kind !== undefined && !isMainnet)) refuse();
    const spec = { name, chainId, isMainnet, constant: constantOf(name) };
    const file = kebab(name);
    tree.add(`chains/evm/networks/${file}.ts`, recordFile(spec));
    tree.add(`test/chains/evm/networks/${file}.test.ts`, testFile(spec));
    tree.edit('domain/networks.ts', /(NETWORK_NAMES = \[)([^\]]*?),?(\s*\])/, `$1$2, '${name}'$3`);
    tree.edit(
      'chains/networks.ts',
      /^(?=import .* from '\.\/evm\/networks\/)/m,
      `import { ${spec.constant} } from './evm/networks/${file}';\n`,
    );
    tree.edit('chains/networks.ts', /(const NETWORKS: [\s\S]*?)(\n\};)/, `$1\n  ${name}: ${spec.constant},$2`);
    tree.edit('chains/codecs.ts', /(const CODECS: [\s\S]*?)(\n\};)/, `$1\n  ${name}: createEvmCodec(NETWORKS.${name}),$2`);
    tree.edit('chains/decoders.ts', /(const DECODERS: [\s\S]*?)(\n\};)/, `$1\n  ${name}: evmDecoder,$2`);
    tree.editJson('test/durable-names.json', (names) => {
      names.networks = [...names.networks, name].sort();
    });
  },
  'Now check every number of the record (symbol, confirmations, ceilings, tokens, explorer), then: npm run check, npm test -- test/chains.',
);
