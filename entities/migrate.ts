import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { releaseVersion } from '../platform/release';
import { ALL_ROWS, permitOwnerToRead } from './backup/permit';
import { schemaState } from './deployment/release.store';
import { CreateFoundation20261121000000 } from './migrations/20261121000000-create-foundation';
import { KeepHouse20261121120000 } from './migrations/20261121120000-keep-house';
import { IndexOutboxLines20261121180000 } from './migrations/20261121180000-index-outbox-lines';
import { Identity20261122000000 } from './migrations/20261122000000-identity';
import { KeepApprovalEvidence20261122010000 } from './migrations/20261122010000-keep-approval-evidence';
import { People20261122010100 } from './migrations/20261122010100-people';
import { KeepMails20261122010200 } from './migrations/20261122010200-keep-mails';
import { FindCredentialCodes20261122010300 } from './migrations/20261122010300-find-credential-codes';
import { Recoveries20261122010400 } from './migrations/20261122010400-recoveries';
import { IndexAudit20261122010600 } from './migrations/20261122010600-index-audit';
import { ChangeRequests20261122010700 } from './migrations/20261122010700-change-requests';
import { GuardDoors20261122010800 } from './migrations/20261122010800-guard-doors';
import { Oidc20261122010900 } from './migrations/20261122010900-oidc';
import { Keys20261122020000 } from './migrations/20261122020000-keys';
import { Signatures20261122020100 } from './migrations/20261122020100-signatures';
import { Transactions20261122020200 } from './migrations/20261122020200-transactions';
import { Rotations20261122020300 } from './migrations/20261122020300-rotations';
import { Freeze20261122020400 } from './migrations/20261122020400-freeze';
import { KeepEvidenceOfTransfers20261122020600 } from './migrations/20261122020600-keep-evidence-of-transfers';
import { PolicyModes20261122030000 } from './migrations/20261122030000-policy-modes';
import { Usage20261122030200 } from './migrations/20261122030200-usage';
import { Screenings20261122030300 } from './migrations/20261122030300-screenings';
import { TravelRule20261122030400 } from './migrations/20261122030400-travel-rule';
import { TravelRuleCallbacks20261122030410 } from './migrations/20261122030410-travel-rule-callbacks';
import { ApprovalNotices20261122030500 } from './migrations/20261122030500-approval-notices';
import { Reachability20261122030600 } from './migrations/20261122030600-reachability';
import { Freezes20261122030700 } from './migrations/20261122030700-freezes';
import { Registry20261122030800 } from './migrations/20261122030800-registry';
import { Backtests20261122030810 } from './migrations/20261122030810-backtests';
import { ShadowResults20261122030820 } from './migrations/20261122030820-shadow-results';
import { ForgetKeyRequests20261122030900 } from './migrations/20261122030900-forget-key-requests';
import { Families20261122040000 } from './migrations/20261122040000-families';
import { Replacements20261122040800 } from './migrations/20261122040800-replacements';
import { FeeSponsors20261122050100 } from './migrations/20261122050100-fee-sponsors';
import { SignatureDetails20261122050200 } from './migrations/20261122050200-signature-details';
import { Lanes20261122050500 } from './migrations/20261122050500-lanes';
import { Reversals20261122050600 } from './migrations/20261122050600-reversals';
import { EqualPayments20261122050700 } from './migrations/20261122050700-equal-payments';
import { Children20261122060300 } from './migrations/20261122060300-children';
import { MadeForAnother20261122060310 } from './migrations/20261122060310-made-for-another';
import { ServiceFreezes20261122060500 } from './migrations/20261122060500-service-freezes';
import { EncryptedAmounts20261123070100 } from './migrations/20261123070100-encrypted-amounts';
import { CancelledSignatures20261123070200 } from './migrations/20261123070200-cancelled-signatures';
import { LooseSponsors20261123070300 } from './migrations/20261123070300-loose-sponsors';
import { SponsoredFeesByTime20261123070310 } from './migrations/20261123070310-sponsored-fees-by-time';
import { SignerSwitches20261123080100 } from './migrations/20261123080100-signer-switches';
import { KeepSignedBodies20261123080200 } from './migrations/20261123080200-keep-signed-bodies';
import { OneRecordPerAction20261123080210 } from './migrations/20261123080210-one-record-per-action';
import { OrderPolicyChanges20261123080300 } from './migrations/20261123080300-order-policy-changes';
import { UsedGrants20261123080400 } from './migrations/20261123080400-used-grants';
import { ExactUsage20261123080500 } from './migrations/20261123080500-exact-usage';
import { WithdrawnApprovals20261123080510 } from './migrations/20261123080510-withdrawn-approvals';
import { FilledTransactions20261123080600 } from './migrations/20261123080600-filled-transactions';
import { LeftCoins20261123080700 } from './migrations/20261123080700-left-coins';
import { PolicyVersions20261123090100 } from './migrations/20261123090100-policy-versions';
import { GuardIdentities20261123090200 } from './migrations/20261123090200-guard-identities';
import { WorkerRole20261123090300 } from './migrations/20261123090300-worker-role';
import { OutboxTurns20261123090400 } from './migrations/20261123090400-outbox-turns';
import { FreezeKind20261123100200 } from './migrations/20261123100200-freeze-kind';
import { ManagedRoles20261123100300 } from './migrations/20261123100300-managed-roles';
import { Prices20261123110100 } from './migrations/20261123110100-prices';
import { Releases20261123110500 } from './migrations/20261123110500-releases';
import { Reissues20261123110510 } from './migrations/20261123110510-reissues';
import { NameSponsors20261123120500 } from './migrations/20261123120500-name-sponsors';
import { NoteBackups20261124110100 } from './migrations/20261124110100-note-backups';
import { KeepRelease20261124110200 } from './migrations/20261124110200-keep-release';
import { Anchors20261125120000 } from './migrations/20261125120000-anchors';
import { Amendments20261128220100 } from './migrations/20261128220100-amendments';
import { SeenOfCharters20261129031800 } from './migrations/20261129031800-seen-of-charters';
import { MainnetsOfCharters20261129060000 } from './migrations/20261129060000-mainnets-of-charters';
import { WalletAttestations20261129104500 } from './migrations/20261129104500-wallet-attestations';
import { Holders20261129173000 } from './migrations/20261129173000-holders';
import { Scans20261130090000 } from './migrations/20261130090000-scans';
import { AddressWatches20261130091000 } from './migrations/20261130091000-address-watches';
import { Feed20261130110000 } from './migrations/20261130110000-feed';
import { ReceivedCoins20261130120000 } from './migrations/20261130120000-received-coins';
import { EventsByDate20261130120100 } from './migrations/20261130120100-events-by-date';
import { FeesOfSignatures20261130120300 } from './migrations/20261130120300-fees-of-signatures';
import { WalletMetadata20261130120500 } from './migrations/20261130120500-wallet-metadata';
import { Holdings20261130120700 } from './migrations/20261130120700-holdings';
import { AuditLog20261130120900 } from './migrations/20261130120900-audit-log';
import { BalanceSweeps20261130130000 } from './migrations/20261130130000-balance-sweeps';
import { MetadataOfImports20261130150000 } from './migrations/20261130150000-metadata-of-imports';
import { ContractEvents20261130150010 } from './migrations/20261130150010-contract-events';
import { Backfills20261130160000 } from './migrations/20261130160000-backfills';
import { DatesOfPlaces20261130170000 } from './migrations/20261130170000-dates-of-places';
import { WaitingEntriesStay20261130170100 } from './migrations/20261130170100-waiting-entries-stay';
import { KeyStores20261130180000 } from './migrations/20261130180000-key-stores';
import { Fleets20261130220000 } from './migrations/20261130220000-fleets';
import { OfflineRequests20261130223000 } from './migrations/20261130223000-offline-requests';
import { Reviewers20261201050000 } from './migrations/20261201050000-reviewers';
import { NonceMakers20261201051000 } from './migrations/20261201051000-nonce-makers';
import { NewerSchema } from './newer-schema';
import { upgradeNotices } from './upgrade-notices';

/** Identifies the lock that admits one migrator at a time. The value is arbitrary and must be the same in every release. */
const MIGRATION_LOCK = 7_203_114;

const MIGRATIONS = [
  CreateFoundation20261121000000,
  KeepHouse20261121120000,
  IndexOutboxLines20261121180000,
  Identity20261122000000,
  KeepApprovalEvidence20261122010000,
  People20261122010100,
  KeepMails20261122010200,
  FindCredentialCodes20261122010300,
  Recoveries20261122010400,
  IndexAudit20261122010600,
  ChangeRequests20261122010700,
  GuardDoors20261122010800,
  Oidc20261122010900,
  Keys20261122020000,
  Signatures20261122020100,
  Transactions20261122020200,
  Rotations20261122020300,
  Freeze20261122020400,
  KeepEvidenceOfTransfers20261122020600,
  PolicyModes20261122030000,
  Usage20261122030200,
  Screenings20261122030300,
  TravelRule20261122030400,
  TravelRuleCallbacks20261122030410,
  ApprovalNotices20261122030500,
  Reachability20261122030600,
  Freezes20261122030700,
  Registry20261122030800,
  Backtests20261122030810,
  ShadowResults20261122030820,
  ForgetKeyRequests20261122030900,
  Families20261122040000,
  Replacements20261122040800,
  FeeSponsors20261122050100,
  SignatureDetails20261122050200,
  Lanes20261122050500,
  Reversals20261122050600,
  EqualPayments20261122050700,
  Children20261122060300,
  MadeForAnother20261122060310,
  ServiceFreezes20261122060500,
  EncryptedAmounts20261123070100,
  CancelledSignatures20261123070200,
  LooseSponsors20261123070300,
  SponsoredFeesByTime20261123070310,
  SignerSwitches20261123080100,
  KeepSignedBodies20261123080200,
  OneRecordPerAction20261123080210,
  OrderPolicyChanges20261123080300,
  UsedGrants20261123080400,
  ExactUsage20261123080500,
  WithdrawnApprovals20261123080510,
  FilledTransactions20261123080600,
  LeftCoins20261123080700,
  PolicyVersions20261123090100,
  GuardIdentities20261123090200,
  WorkerRole20261123090300,
  OutboxTurns20261123090400,
  FreezeKind20261123100200,
  ManagedRoles20261123100300,
  Prices20261123110100,
  Releases20261123110500,
  Reissues20261123110510,
  NameSponsors20261123120500,
  NoteBackups20261124110100,
  KeepRelease20261124110200,
  Anchors20261125120000,
  Amendments20261128220100,
  SeenOfCharters20261129031800,
  MainnetsOfCharters20261129060000,
  WalletAttestations20261129104500,
  Holders20261129173000,
  Scans20261130090000,
  AddressWatches20261130091000,
  Feed20261130110000,
  ReceivedCoins20261130120000,
  EventsByDate20261130120100,
  FeesOfSignatures20261130120300,
  WalletMetadata20261130120500,
  Holdings20261130120700,
  AuditLog20261130120900,
  BalanceSweeps20261130130000,
  MetadataOfImports20261130150000,
  ContractEvents20261130150010,
  Backfills20261130160000,
  DatesOfPlaces20261130170000,
  WaitingEntriesStay20261130170100,
  KeyStores20261130180000,
  Fleets20261130220000,
  OfflineRequests20261130223000,
  Reviewers20261201050000,
  NonceMakers20261201051000,
];

export const migrationNames = (): readonly string[] => MIGRATIONS.map(({ name }) => name);

/** Migrations run in the order of the timestamps at the end of their names. */
const timeOf = (name: string): number => Number(name.slice(-TIME_DIGITS));
const TIME_DIGITS = 14;

async function refuseNewer(client: Client): Promise<void> {
  const state = await schemaState(client);
  const known = new Set(migrationNames());
  const unknown = state.changes.filter((name) => !known.has(name));
  if (unknown.length > 0) throw new NewerSchema(state, releaseVersion(), unknown);
}

/**
 * Migrates as the owner role, up to the migration `upTo` if there is one. Throws `NewerSchema` if a newer release has migrated
 * the schema.
 */
export async function migrate(ownerUrl: string, upTo?: string): Promise<readonly string[]> {
  const lock = new Client({ connectionString: ownerUrl });
  await lock.connect();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await refuseNewer(lock);
    const source = new DataSource({
      type: 'postgres',
      url: ownerUrl,
      migrations: MIGRATIONS.filter(({ name }) => upTo === undefined || timeOf(name) <= timeOf(upTo)),
      installExtensions: false,
    });
    await source.initialize();
    try {
      const done = await source.runMigrations({ transaction: 'each' });
      await permitOwnerToRead(lock);
      return done.map(({ name }) => name);
    } finally {
      await source.destroy();
    }
  } finally {
    await lock.end();
  }
}

/** Returns notices that state how the migrations in `done` affect stored rows. */
export async function noticesOf(ownerUrl: string, done: readonly string[]): Promise<readonly string[]> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query('BEGIN READ ONLY');
    await client.query(ALL_ROWS);
    return await upgradeNotices(done, async <R extends object>(sql: string) => (await client.query<R>(sql)).rows);
  } finally {
    await client.end();
  }
}
