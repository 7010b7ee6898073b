// npm run new:family -- <family> <Network> <chain id> <SYMBOL> <decimals> <scheme> <curve>: writes a family of chains with one
// test network. The new family can only derive addresses. The author replaces the other functions, which only report that the
// ability is missing.
import * as chains from './family/chains.mjs';
import * as layers from './family/layers.mjs';
import { camel, generate, kebab } from './tree.mjs';

const USAGE = `Usage: npm run new:family -- <family> <Network> <chain id> <SYMBOL> <decimals> <scheme> <curve>
  <family> is the family's name in lower case; <Network> is the name of its test network in the interface;
  <scheme> and <curve> are ECDSA secp256k1 or EdDSA ed25519. With --no-build, dist/ and openapi.json stay unchanged until npm run fix.`;
const FAMILY = /^[a-z][a-z0-9]*$/;
const NAME = /^[A-Z][a-zA-Z0-9]*$/;
const CHAIN_ID = /^[\w-]{1,64}$/;
const SYMBOL = /^[A-Za-z0-9]{1,10}$/;
const DECIMALS = /^\d{1,2}$/;
const FORMS = ['ECDSA secp256k1', 'EdDSA ed25519'];

const titled = (word) => `${word[0].toUpperCase()}${word.slice(1)}`;

const ownFiles = (spec) => {
  const { family, network } = spec;
  return {
    [`domain/${family}.ts`]: chains.domainFile(spec),
    [`chains/${family}/types.ts`]: chains.typesFile(spec),
    [`chains/${family}/networks/${kebab(network)}.ts`]: chains.recordFile(spec),
    [`chains/${family}/codec.ts`]: chains.codecFile(spec),
    [`chains/${family}/decoder.ts`]: chains.decoderFile(spec),
    [`chains/${family}/nodes.ts`]: chains.nodesFile(spec),
    [`application/bodies/${family}/bodies.ts`]: layers.bodiesFile(spec),
    [`application/outgoing/${family}/family.ts`]: layers.outgoingFile(spec),
    [`application/causes/${family}/signed.ts`]: layers.causesFile(spec),
    [`application/signatures/${family}/signing.ts`]: layers.signaturesFile(spec),
    [`application/networks/${family}/fees.ts`]: layers.feesFile(spec),
    [`activities/outgoing/${family}/steps.ts`]: layers.stepsFile(spec),
    [`signer/orders/${family}/order.ts`]: layers.orderFile(spec),
    [`signer/judging/${family}/judge.ts`]: layers.judgeFile(spec),
    [`operator/reconcile/${family}/reconciled.ts`]: layers.reconcileFile(spec),
    [`api/${family}/schemas.ts`]: layers.schemasFile(spec),
  };
};

/**
 * Each entry has a file, a record in the file, and the line to add. Three optional values follow: a name that the line uses,
 * the file that exports the name, and the record's indentation.
 */
const recordLines = ({ family, title, network, record, cannot }) => [
  ['domain/networks.ts', 'NETWORKS_OF', `${family}: ['${network}'],`],
  [
    'domain/capabilities.ts',
    'CAPABILITIES',
    `${family}: { transferKinds: ['Native'], options: [], fees: '${title}', isRead: false, isBackfilled: false },`,
  ],
  ['domain/fees.ts', 'FeesOf', `readonly ${family}: ${title}Fees;`, `type ${title}Fees`, `./${family}`],
  ['domain/transactions.ts', 'TermsOf', `readonly ${family}: ${title}Terms;`, `type ${title}Terms`, `./${family}`],
  ['domain/transactions.ts', 'KINDS', `${family}: { said: 'networks of the family ${family}' },`],
  ['chains/types.ts', 'KnownTypes', `readonly ${family}: ${title}Types;`, `type ${title}Types`, `./${family}/types`],
  ['chains/networks.ts', 'NETWORKS', `${network}: ${record},`, record, `./${family}/networks/${kebab(network)}`],
  ['chains/networks.ts', 'FACTS', `${family}: ({ chainId }) => ({ ...PLAIN, chainId, signatureDomain: '${family}' }),`],
  ['chains/codecs.ts', 'CODECS', `${family}: create${title}Codec,`, `create${title}Codec`, `./${family}/codec`],
  ['chains/decoders.ts', 'DECODERS', `${family}: create${title}Decoder,`, `create${title}Decoder`, `./${family}/decoder`],
  ['chains/readers.ts', 'READERS', `${family}: create${title}Reader,`, `create${title}Reader`, `./${family}/nodes`],
  ['chains/gateways.ts', 'GATEWAYS', `${family}: create${title}Gateway,`, `create${title}Gateway`, `./${family}/nodes`],
  ['chains/scan-sources.ts', 'SOURCES', `${family}: () => ${cannot('Reading its blocks')},`, 'absent', '../domain/slots'],
  ['chains/network-settings.ts', 'RPC_OPTIONS', `${family}: ${family}RpcOptions,`, `${family}RpcOptions`, `./${family}/nodes`],
  ['application/bodies/families.ts', 'FAMILIES', `${family}: ${family}Bodies,`, `${family}Bodies`, `./${family}/bodies`],
  ['application/outgoing/families.ts', 'FAMILIES', `${family}: ${family}Outgoing,`, `${family}Outgoing`, `./${family}/family`],
  [
    'application/outgoing/family-forms.ts',
    'RequestsOf',
    `readonly ${family}: ${title}TransactionRequest;`,
    `type ${title}TransactionRequest`,
    `./${family}/family`,
  ],
  ['application/causes/families.ts', 'FAMILIES', `${family}: ${family}Signed,`, `${family}Signed`, `./${family}/signed`],
  ['application/signatures/families.ts', 'FAMILIES', `${family}: ${family}Signing,`, `${family}Signing`, `./${family}/signing`],
  [
    'application/networks/families.ts',
    'ASKED_FAMILIES',
    `${family}: { shownFees: ${family}Shown, callFunction: null },`,
    `${family}Shown`,
    `./${family}/fees`,
  ],
  [
    'application/wallets/families.ts',
    'FAMILIES',
    `${family}: { metadataOf: NO_TOKENS, holdingsOf: NO_TOKENS, collectiblesOf: NO_TOKENS, hiddenHoldingsOf: null },`,
  ],
  ['application/movements/families.ts', 'FAMILIES', `${family}: { statedBalances: ${cannot('Stating past balances')} },`],
  ['activities/outgoing/families.ts', 'FAMILIES', `${family}: ${family}Steps,`, `${family}Steps`, `./${family}/steps`],
  [
    'signer/orders/families.ts',
    'FAMILIES',
    `${family}: [orderMessage('sign${title}', Sign${title}Order)],`,
    `Sign${title}Order`,
    `./${family}/order`,
  ],
  [
    'signer/orders/operations.ts',
    'operations',
    `sign${title}: guarded((order) => signOnce(order, () => judge${title}(order, nowMs()))),`,
    `judge${title}`,
    `../judging/${family}/judge`,
    '  ',
  ],
  [
    'signer/judging/requests/assert-requested.ts',
    'REQUESTS',
    `sign${title}: ${cannot('To compare a request with its order')},`,
    'absent',
    '../../../domain/slots',
  ],
  ['signer/judging/people/sent-units.ts', 'FEES', `sign${title}: ${cannot('To read a fee')},`, 'absent', '../../../domain/slots'],
  ['signer/judging/families.ts', 'FAMILIES', `${family}: is${title}Transaction,`, `is${title}Transaction`, `./${family}/judge`],
  [
    'operator/reconcile/families.ts',
    'FAMILIES',
    `${family}: ${family}Reconciled,`,
    `${family}Reconciled`,
    `./${family}/reconciled`,
  ],
  ['api/families.ts', 'SHOWN_FAMILIES', `${family}: ${family}Schemas,`, `${family}Schemas`, `./${family}/schemas`],
];

/** Matches the record up to the closing brace, whose line begins with `indent`. */
const behindLast = (record, indent) => new RegExp(`(\\b${record}\\b[^\\n]*= \\{\\n(?:.*\\n)*?)(${indent}\\})`);

function enter(tree, spec) {
  tree.edit('domain/networks.ts', /(FAMILIES = \[[^\]]*)\]/, `$1, '${spec.family}']`);
  for (const [path, record, line, imported, from, indent = ''] of recordLines(spec)) {
    tree.edit(path, behindLast(record, indent), `$1${indent}  ${line}\n$2`);
    if (imported) tree.edit(path, /^(?=import )/m, `import { ${imported} } from '${from}';\n`);
  }
  tree.edit(
    'signer/client.ts',
    /^(\s*)signSolana: .*\n/m,
    (found, indent) =>
      `${found}${indent}sign${spec.title}: (order) => ask({ op: 'sign${spec.title}', ...forRequest(), order }, PayloadSignature),\n`,
  );
}

await generate(
  USAGE,
  (tree, [family = '', network = '', chainId = '', symbol = '', decimals = '', scheme, curve, ...rest], refuse) => {
    if (!FAMILY.test(family) || !NAME.test(network) || !CHAIN_ID.test(chainId) || !SYMBOL.test(symbol)) refuse();
    if (!DECIMALS.test(decimals) || !FORMS.includes(`${scheme} ${curve}`) || rest.length > 0) refuse();
    if (new RegExp(`'(${family}|${network})'`).test(tree.read('domain/networks.ts'))) refuse();
    const cannot = (deed) => `absent('${deed} is not possible on networks of the family ${family} yet')`;
    const record = camel(kebab(network));
    const spec = { family, title: titled(family), network, record, chainId, symbol, decimals, scheme, curve, cannot };
    for (const [path, text] of Object.entries(ownFiles(spec))) tree.add(path, text);
    enter(tree, spec);
    tree.editJson('test/durable-names.json', (names) => {
      names.networks = [...names.networks, network].sort();
    });
  },
  "Now write the family's addresses, check every number of the network record, and fill the slots one by one. The compiler names what each slot needs.",
);
