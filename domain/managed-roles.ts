import { storedOperations } from './permissions';

const READS_ASSETS = [
  'AddressWatches:Read',
  'Allocations:Read',
  'Exchanges:Read',
  'FeeSponsors:Read',
  'Freezes:Read',
  'Keys:Read',
  'Keys:Signatures:Read',
  'Policies:Evaluations:Read',
  'Policies:Read',
  'Registry:Addresses:Read',
  'Registry:ContractSchemas:Read',
  'Stakes:Read',
  'Swaps:Read',
  'Wallets:Offers:Read',
  'Wallets:Read',
  'Wallets:Transactions:Read',
  'Wallets:Transfers:Read',
] as const;

const READS_ORGANIZATION = [
  'Activities:Read',
  'Auth:Logs:Read',
  'Auth:ServiceAccounts:Read',
  'Auth:Users:Read',
  'Events:Read',
  'Integrations:Read',
  'KeyStores:Read',
  'Networks:Canton:Validators:Read',
  'Orgs:Settings:Read',
  'Permissions:Assignments:Read',
  'Permissions:Read',
  'Webhooks:Events:Read',
  'Webhooks:Read',
] as const;

const REQUESTS_TRANSFERS = [
  'Wallets:Transactions:Abort',
  'Wallets:Transactions:Create',
  'Wallets:Transfers:Abort',
  'Wallets:Transfers:Create',
] as const;

/** The permissions of people who are not administrators. Every organisation has these permissions from the start. */
export const MANAGED_ROLES = [
  { name: 'Approver', operations: storedOperations([...READS_ASSETS, 'Policies:Evaluations:Vote']) },
  { name: 'Auditor', operations: storedOperations([...READS_ASSETS, ...READS_ORGANIZATION]) },
  { name: 'Initiator', operations: storedOperations([...READS_ASSETS, ...REQUESTS_TRANSFERS]) },
  { name: 'Viewer', operations: storedOperations(READS_ASSETS) },
] as const;
