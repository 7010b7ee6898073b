import type { Correction } from './correction';

const CALLERS = ['CustomerEmployee', 'EndUser', 'ServiceAccount'];
const NO_CALLERS =
  'The facts do not list callers, because the published document is older: the callers are those of similar operations';
const NO_PERMISSION =
  'The facts do not list a permission, because the published document is older: the permission comes from later sources';

/** Operations on an open request, each with path, method and permission. */
const ON_REQUESTS = [
  ['transfers~1{transferId}~1abort', 'put', 'Wallets:Transfers:Abort'],
  ['transfers~1{transferId}~1cancel', 'post', 'Wallets:Transactions:Create'],
  ['transfers~1{transferId}~1speed-up', 'post', 'Wallets:Transactions:Create'],
  ['transactions~1{transactionId}~1abort', 'put', 'Wallets:Transactions:Abort'],
  ['transactions~1{transactionId}~1cancel', 'post', 'Wallets:Transactions:Create'],
  ['transactions~1{transactionId}~1speed-up', 'post', 'Wallets:Transactions:Create'],
] as const;

/** Operations that create a program and can also give it a permission, each with the path and the permission of the operation. */
const MAKING_PROGRAMS = [
  ['~1auth~1pats', 'Auth:Pats:Create'],
  ['~1auth~1service-accounts', 'Auth:ServiceAccounts:Create'],
] as const;

const schema = (name: string) => `/components/schemas/${name}`;
const abiParameters = () => ({ type: 'array', items: { $ref: '#/components/schemas/AbiParameter' } });

/** Kinds of movements that this release reads. */
const MOVEMENTS = ['Native', 'Erc20', 'Erc721', 'Erc7984'];

/** Corrections of the facts and additions to them. `facts.json` itself stays unchanged. */
export const OVERLAY: readonly Correction[] = [
  ...ON_REQUESTS.flatMap(([path, method, name]) => {
    const place = `/paths/~1wallets~1{walletId}~1${path}/${method}`;
    return [
      { at: `${place}/x-callers`, value: CALLERS, reason: NO_CALLERS },
      { at: `${place}/x-permissions`, value: [{ name, when: 'always' }], reason: NO_PERMISSION },
    ];
  }),
  { at: '/paths/~1networks~1{network}~1call-function/post/x-callers', value: CALLERS, reason: NO_CALLERS },
  ...MAKING_PROGRAMS.map(([path, name]) => ({
    at: `/paths/${path}/post/x-permissions`,
    value: [
      { name, when: 'always' },
      { name: 'Permissions:Assign', when: 'if:permissionId' },
    ],
    reason: 'A caller who gives a permission to a new program assigns the permission',
  })),
  {
    at: schema('AbiParameter'),
    value: {
      type: 'object',
      properties: { name: { type: 'string' }, type: { type: 'string' }, components: abiParameters() },
      required: ['name', 'type'],
    },
    reason: 'The program that extracted the facts replaced the inner type of a tuple with the whole body',
  },
  ...MOVEMENTS.map((kind) => ({
    at: `${schema(`Event${kind}Transfer`)}/properties/status`,
    value: { type: 'string', enum: ['Included', 'Confirmed'] },
    reason: 'Later sources contain the status; the published document is older',
  })),
  ...['inputs', 'outputs'].map((member) => ({
    at: `${schema('CallFunctionBody')}/properties/abi/properties/${member}`,
    value: abiParameters(),
    reason: 'The components of a tuple are parameters too',
  })),
];
