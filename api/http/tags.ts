export const TAGS = {
  'address-watches': 'Addresses of third parties, whose movements the organisation follows, with their balances and events.',
  auth: 'People, programs, their credentials and sessions, and the signed challenges that authorise changes.',
  events: 'The feed of all events of the organisation, in one order that a reader can verify.',
  'fee-sponsors': 'Wallets that pay the network fees of other wallets.',
  freezes: 'Emergency stops of a wallet, a key or the whole organisation, and their release.',
  integrations: 'Vendors that screen addresses and carry travel-rule messages.',
  keys: 'Keys, their signatures, and their import, export, derivation and delegation.',
  networks: 'The networks this installation serves, their current fees and calls to their contracts.',
  organizations: 'Settings of the organisation.',
  permissions: 'Permissions and their assignment to people and programs.',
  policies: 'Rules that judge activities, the approvals that these rules require, and tests of rules before they take effect.',
  registry: 'Known addresses and contract schemas, which make requests readable and policies precise.',
  signers: 'The stores that hold keys and the signers that use them.',
  wallets: 'Wallets, their assets, and the transfers, transactions and signatures that are requested from them.',
  webhooks: 'Endpoints that receive events, and a record of each delivery.',
} as const;

export type Tag = keyof typeof TAGS;
