// npm run new:family -- <family> <Network> <chain id> <SYMBOL> <decimals> <scheme> <curve> <fees>: a family of chains with one test network,
// of which addresses are told and nothing else. Every slot that is empty says so to its caller; its author fills them one after the other.
import { camel, generate, kebab } from './tree.mjs';

const USAGE = `Usage: npm run new:family -- <family> <Network> <chain id> <SYMBOL> <decimals> <scheme> <curve> <fees>
  <family> is its word in lower case, <Network> its test network as the interface is to have it;
  <scheme> and <curve> are ECDSA secp256k1 or EdDSA ed25519, <fees> the form of its fee estimates: Eip1559, Bitcoin or Solana.`;
const FAMILY = /^[a-z][a-z0-9]*$/;
const NAME = /^[A-Z][a-zA-Z0-9]*$/;
const CHAIN_ID = /^[\w-]{1,64}$/;
const SYMBOL = /^[A-Za-z0-9]{1,10}$/;
const DECIMALS = /^\d{1,2}$/;
const FORMS = ['ECDSA secp256k1', 'EdDSA ed25519'];
const FEES = ['Eip1559', 'Bitcoin', 'Solana'];

const titled = (word) => `${word[0].toUpperCase()}${word.slice(1)}`;

const typesFile = ({ family, title, scheme, curve }) => `import type { CodecBase, NetworkBase, ReaderBase } from '../types';

export type ${title}Network = NetworkBase & {
  readonly family: '${family}';
  readonly scheme: '${scheme}';
  readonly curve: '${curve}';
  /** By what a node says which chain it is on. */
  readonly chainId: string;
};

export interface ${title}Codec extends CodecBase {
  readonly family: '${family}';
}

export interface ${title}Decoder {
  readonly family: '${family}';
  addressOf(publicKeyHex: string): string;
}

export interface ${title}Reader extends ReaderBase {
  readonly family: '${family}';
}

export type ${title}Types = {
  readonly network: ${title}Network;
  readonly codec: ${title}Codec;
  readonly decoder: ${title}Decoder;
  readonly reader: ${title}Reader;
};
`;

const recordFile = ({
  family,
  title,
  network,
  chainId,
  symbol,
  decimals,
  scheme,
  curve,
}) => `import type { ${title}Network } from '../types';

export const ${camel(kebab(network))}: ${title}Network = {
  name: '${network}',
  family: '${family}',
  isMainnet: false,
  standing: 'Live',
  tier: 3,
  chainId: '${chainId}',
  scheme: '${scheme}',
  curve: '${curve}',
  nativeAsset: { symbol: '${symbol}', decimals: ${decimals} },
  confirmations: 1,
  feeCeilingUnits: 1n,
  signerFeeCeilingUnits: 1n,
  inFlightMax: 16,
  slip44: 1,
  tokens: [],
};
`;

const codecFile = ({ family, title }) => `import { createHash } from 'node:crypto';
import { AppError } from '../../domain/errors';
import type { ${title}Codec } from './types';

const ADDRESS = /^[0-9a-f]{64}$/;

export const create${title}Codec = (): ${title}Codec => ({
  family: '${family}',
  addressOf: (publicKeyHex) => createHash('sha256').update(Buffer.from(publicKeyHex, 'hex')).digest('hex'),
  parseAddress(text) {
    if (ADDRESS.test(text)) return text;
    throw new AppError('InvalidAddress', 'An address has 64 hexadecimal digits');
  },
});
`;

const decoderFile = ({ family, title }) => `import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import type { ${title}Decoder } from './types';

export const create${title}Decoder = (): ${title}Decoder => ({
  family: '${family}',
  addressOf: (publicKeyHex) => bytesToHex(sha256(hexToBytes(publicKeyHex))),
});
`;

const imported = (names, from) => [/^(?=import )/m, `import { ${names} } from '${from}';\n`];
/** A member behind the last one of a record that each line has one of. */
const member = (record, line) => [new RegExp(`(\\b${record}\\b[^\\n]*= \\{\\n(?:.*\\n)*?)(\\};\\n)`), `$1  ${line}\n$2`];

function enter(tree, { family, title, network, fees }) {
  const cannot = (what) => `absent('${what} is not possible on networks of the family ${family} yet')`;
  const enterIn = (path, imports, ...members) => {
    for (const [names, from] of imports)
      if (!tree.read(path).includes(`${names} }`) && !tree.read(path).includes(`{ ${names},`))
        tree.edit(path, ...imported(names, from));
    for (const [record, line] of members) tree.edit(path, ...member(record, `${family}: ${line},`));
  };
  const slots = ['absent', '../../domain/slots'];
  tree.edit('domain/networks.ts', /(FAMILIES = \[[^\]]*)\]/, `$1, '${family}']`);
  tree.edit('domain/networks.ts', /(\n\} as const satisfies Record<Family)/, `\n  ${family}: ['${network}'],$1`);
  enterIn('domain/capabilities.ts', [], ['CAPABILITIES', `{ transferKinds: [], options: [], fees: '${fees}' }`]);
  tree.edit('chains/types.ts', /(type KnownTypes = \{\n(?:.*\n)*?)(\};\n)/, `$1  readonly ${family}: ${title}Types;\n$2`);
  tree.edit('chains/types.ts', ...imported(`type ${title}Types`, `./${family}/types`));
  const record = camel(kebab(network));
  tree.edit('chains/networks.ts', ...imported(record, `./${family}/networks/${kebab(network)}`));
  tree.edit('chains/networks.ts', ...member('NETWORKS', `${network}: ${record},`));
  enterIn('chains/networks.ts', [], ['FACTS', '({ chainId }) => ({ ...PLAIN, chainId })']);
  enterIn('chains/codecs.ts', [[`create${title}Codec`, `./${family}/codec`]], ['CODECS', `create${title}Codec`]);
  enterIn('chains/decoders.ts', [[`create${title}Decoder`, `./${family}/decoder`]], ['DECODERS', `create${title}Decoder`]);
  for (const [path, name] of [
    ['readers', 'READERS'],
    ['gateways', 'GATEWAYS'],
    ['network-settings', 'RPC_OPTIONS'],
  ])
    enterIn(`chains/${path}.ts`, [['absent', '../domain/slots']], [name, cannot('Asking a node')]);
  const reads = 'readTransfer: NOT_YET, readTransaction: NOT_YET, replacement: { isTakenBy: () => false }, child: null';
  const sponsoring = 'sponsoring: { whyNot: () => NOT_YET.why, assertReady: null }, freesAtInclusion: false';
  tree.add(
    `application/outgoing/${family}/family.ts`,
    `import { absent } from '../../../domain/slots';
import type { OutgoingFamily } from '../families';

const NOT_YET = ${cannot('Sending')};

export const ${family}Outgoing: OutgoingFamily = { ${reads}, ${sponsoring} };
`,
  );
  enterIn('application/outgoing/families.ts', [[`${family}Outgoing`, `./${family}/family`]], ['FAMILIES', `${family}Outgoing`]);
  enterIn('application/causes/families.ts', [slots], ['FAMILIES', cannot('Sending')]);
  enterIn(
    'application/signatures/families.ts',
    [slots],
    ['FAMILIES', `{ prepareTransaction: ${cannot('Signing')}, message: ${cannot('Signing')} }`],
  );
  enterIn(
    'application/wallets/families.ts',
    [slots],
    ['FAMILIES', '{ metadataOf: NO_TOKENS, holdingsOf: NO_TOKENS, hiddenHoldingsOf: null }'],
  );
  enterIn('activities/outgoing/families.ts', [slots], ['FAMILIES', cannot('Sending')]);
  enterIn('signer/judging/families.ts', [slots], ['FAMILIES', cannot('Signing')]);
  enterIn('operator/reconcile/families.ts', [slots], ['FAMILIES', cannot('Reconciling')]);
}

await generate(
  USAGE,
  (tree, [family = '', network = '', chainId = '', symbol = '', decimals = '', scheme, curve, fees, ...rest], refuse) => {
    if (!FAMILY.test(family) || !NAME.test(network) || !CHAIN_ID.test(chainId) || !SYMBOL.test(symbol)) refuse();
    if (!DECIMALS.test(decimals) || !FORMS.includes(`${scheme} ${curve}`) || !FEES.includes(fees) || rest.length > 0) refuse();
    if (new RegExp(`'(${family}|${network})'`).test(tree.read('domain/networks.ts'))) refuse();
    const spec = { family, title: titled(family), network, chainId, symbol, decimals, scheme, curve, fees };
    tree.add(`chains/${family}/types.ts`, typesFile(spec));
    tree.add(`chains/${family}/networks/${kebab(network)}.ts`, recordFile(spec));
    tree.add(`chains/${family}/codec.ts`, codecFile(spec));
    tree.add(`chains/${family}/decoder.ts`, decoderFile(spec));
    enter(tree, spec);
    tree.editJson('test/durable-names.json', (names) => {
      names.networks = [...names.networks, network].sort();
    });
  },
  'Now write its addresses, check every number of its record and fill one slot after the other: the compiler names what each one needs.',
);
