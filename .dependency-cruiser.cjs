const boundaries = require('./boundaries.cjs');

const folders = Object.keys(boundaries);
const ours = `^(${folders.join('|')})/`;

/** Converts an entry of boundaries.cjs to a regular expression. A folder matches every file below it. */
const expressionOf = (entry) =>
  /\.ts$/.test(entry) ? `^${entry.replaceAll('.', '\\.').replaceAll('*', '[^/]+')}$` : `^${entry}/`;

const tableRules = folders.flatMap((folder) => {
  const open = boundaries[folder].filter((entry) => typeof entry === 'string').map(expressionOf);
  const asTypes = boundaries[folder].flatMap((entry) => (typeof entry === 'object' ? [expressionOf(entry.types)] : []));
  return [
    {
      name: `${folder}-imports`,
      comment: `boundaries.cjs says what ${folder} may import`,
      from: { path: `^${folder}/` },
      to: { path: ours, pathNot: [`^${folder}/`, ...open, ...asTypes] },
    },
    ...asTypes.map((path) => ({
      name: `${folder}-types-only`,
      comment: `${folder} may import only types from that folder`,
      from: { path: `^${folder}/` },
      to: { path, dependencyTypesNot: ['type-only'] },
    })),
  ];
});

const PACKAGES = ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'];

const structuralRules = [
  {
    name: 'no-circular',
    comment: 'a cycle of values has no file that can be read first; a cycle of types alone is harmless',
    from: {},
    to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
  },
  {
    name: 'areas-are-islands',
    comment: 'code that two areas of the API share belongs to application, entities or domain',
    from: { path: '^api/(?!http/)([^/]+)/' },
    to: { path: '^api/(?!http/)[^/]+/', pathNot: '^api/$1/' },
  },
  {
    name: 'families-are-islands',
    comment: 'each chain family is read and audited separately',
    from: { path: '^chains/(?!rpc/)([^/]+)/' },
    to: { path: '^chains/(?!rpc/)[^/]+/', pathNot: '^chains/$1/' },
  },
  {
    name: 'vendor-adapters-are-islands',
    comment: 'adapters of one port know the port, not each other',
    from: { path: '^vendors/([^/]+)/' },
    to: { path: '^vendors/[^/]+/', pathNot: '^vendors/$1/' },
  },
  {
    name: 'only-activities-reach-gateways',
    comment: 'the signer, the API and their shared code cannot broadcast, not even through another file',
    from: { path: '^(signer|api|application)/' },
    to: { path: '^chains/gateways\\.ts$|^chains/[^/]+/gateway\\.ts$', reachable: true },
  },
  {
    name: 'api-cannot-reach-the-signer',
    comment: 'the API never calls the signer: the API writes rows, and the worker reads these rows',
    from: { path: '^(api|application)/' },
    to: { path: '^signer/', reachable: true },
  },
  {
    name: 'signer-is-alone',
    comment: 'the process that opens keys has no database, no network and no code that builds the bytes to judge',
    from: { path: '^signer/' },
    to: {
      path: '^chains/(codecs|readers|gateways)\\.ts$|^chains/rpc/|^chains/[^/]+/(codec|reader|gateway|fees|call|variants)\\.ts$|^chains/[^/]+/variants/|^entities/|^vendors/|node_modules/(pg|typeorm|koa|viem|@koa|@temporalio)/',
      reachable: true,
    },
  },
  {
    name: 'signer-has-no-network',
    comment:
      'wire/listener.ts and wire/dial.ts connect workers, signer and replica on other hosts, and kek/tunnel.ts connects to a service through the forwarder; no other file may use a network',
    from: { path: '^signer/', pathNot: '^signer/(wire/listener|wire/dial|keys/kek/tunnel)\\.ts$' },
    to: { path: '^(http|https|http2|tls|dgram|dns)$' },
  },
  {
    name: 'verifier-has-no-network',
    comment: 'the program of approvers reads and writes files only',
    from: { path: '^verify/' },
    to: { path: '^(http|https|http2|net|tls|dgram|dns|child_process)$' },
  },
  {
    name: 'offline-signer-has-no-network',
    comment: 'the machines of an offline store read and write files only',
    from: { path: '^offline-signer/' },
    to: { path: '^(http|https|http2|net|tls|dgram|dns|child_process)$', reachable: true },
  },
  {
    name: 'decoders-share-nothing-with-builders',
    comment: 'a fault in the builder must not repeat itself in the code that checks it',
    from: { path: '^chains/([^/]+)/decoder\\.ts$' },
    to: {
      path: '^chains/$1/(?!decoder)[^/]+\\.ts$|^chains/$1/variants/|^chains/(codecs|readers|gateways)\\.ts$|node_modules/(viem|@scure/btc-signer)/',
      reachable: true,
    },
  },
  {
    name: 'builders-share-nothing-with-decoders',
    comment: 'as decoders-share-nothing-with-builders, in the other direction',
    from: { path: '^chains/[^/]+/((?!decoder)[^/]+|variants/[^/]+)\\.ts$' },
    to: { path: '^chains/[^/]+/decoder[^/]*\\.ts$|node_modules/micro-eth-signer/', reachable: true },
  },
  {
    name: 'no-key-for-a-chain-sdk',
    comment: 'no SDK gets a private key of ours: the signer signs with noble; the local trial is exempt, because of its faucet',
    from: { path: ours, pathNot: '^local/' },
    to: { path: 'node_modules/viem/.*accounts' },
  },
  {
    name: 'pure-folders-stay-pure',
    comment: 'domain and policy run inside workflows: no Node, no npm, not even zod',
    from: { path: '^(domain|policy)/', pathNot: '^policy/rules/' },
    to: { dependencyTypes: ['core', ...PACKAGES] },
  },
  {
    name: 'rules-stay-pure',
    comment: 'the API passes zod to a rule to read the schema of the rule, so a rule imports only types of zod',
    from: { path: '^policy/rules/' },
    to: { dependencyTypes: ['core', ...PACKAGES], dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'workflow-packages',
    comment: "the sandbox replays workflows, so its bundle has only our own code and Temporal's packages",
    from: { path: '^(workflows/|platform/failure-converter\\.ts$)' },
    to: { dependencyTypes: ['core', ...PACKAGES], pathNot: 'node_modules/@temporalio/(workflow|common)/' },
  },
  {
    name: 'sql-has-one-door',
    comment:
      'withOrg sets the organisation of every transaction, and another way to a connection would skip this step; bench, drill and red-team are exempt, as outside observers and attackers',
    from: { path: ours, pathNot: '^entities/|^platform/wait-for-change\\.ts$|^worker/relay/|^(bench|drill|red-team)/' },
    to: { path: 'node_modules/(pg|typeorm)/', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'no-development-packages',
    comment:
      'a production install lacks development packages, and never contains the mailbox and the Solana bank of the local trial',
    from: { path: ours, pathNot: '^local/(mailbox|solana/)' },
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'declared-packages-only',
    comment: 'package.json names every package we import, with its exact version',
    from: { path: ours },
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  },
  { name: 'resolvable', comment: 'the file or package exists', from: { path: ours }, to: { couldNotResolve: true } },
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [...tableRules, ...structuralRules].map((rule) => ({ severity: 'error', ...rule })),
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|\\.cache|\\.data)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['node', 'require', 'import', 'default'] },
  },
};
