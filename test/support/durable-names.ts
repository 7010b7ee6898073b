import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { getMetadataArgsStorage } from 'typeorm';
import { operations } from '../../api/operations';
import { APPROVAL_STATUSES } from '../../domain/approvals';
import { AUDIT_KINDS, AUDITED_COMMANDS } from '../../domain/audit';
import { CALLER_KINDS } from '../../domain/callers';
import { CHANGE_STATUSES } from '../../domain/change-requests';
import { ERRORS } from '../../domain/errors';
import { EVENT_KINDS, SUBSCRIBABLE_KINDS } from '../../domain/events';
import { HASH_CHAINS } from '../../domain/hash-chains';
import { ID_PREFIXES } from '../../domain/ids';
import { NETWORK_NAMES } from '../../domain/networks';
import { OUTBOX_KINDS, OUTBOX_SHARDS, shardOf } from '../../domain/outbox';
import { CATALOGUE } from '../../domain/permission-catalogue';
import { ACTIVITY_KINDS } from '../../domain/policies';
import { routeOf } from '../../domain/routes';
import { SETTINGS } from '../../domain/settings';
import { STATUS_OF, TRANSFER_STATES } from '../../domain/transfers';
import { ENTITIES } from '../../entities/entities';
import { SEARCH_ATTRIBUTES } from '../../platform/search-attributes';

const ROOT = join(__dirname, '..', '..');

/** Accepts every access to a property and every call. A factory of activities gets this object as its dependencies. */
const anything: object = new Proxy(() => anything, { get: () => anything });

export const namesMadeBy = (create: (dependencies: never) => object): string[] => Object.keys(create(anything as never));

const modulesOf = (folder: string, pattern: RegExp): Record<string, unknown>[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => pattern.test(file))
    .sort()
    .map((file) => require(join(ROOT, folder, file)) as Record<string, unknown>);

/** The activity names of all factories below `activities/`. If two factories share a name, the list has it twice. */
export function activityNames(): string[] {
  return modulesOf('activities', /^(?!index\.).+\.ts$/).flatMap((module) =>
    Object.entries(module)
      .filter(([name]) => /^create\w+Activities$/.test(name))
      .flatMap(([, create]) => namesMadeBy(create as (dependencies: never) => object)),
  );
}

function messageNames(): string[] {
  return modulesOf('workflows', /\.messages\.ts$/).flatMap((module) =>
    Object.values(module).flatMap((value) => {
      const { type, name } = (value ?? {}) as { type?: unknown; name?: unknown };
      return typeof type === 'string' && typeof name === 'string' ? [`${type} ${name}`] : [];
    }),
  );
}

function columns(): Record<string, string[]> {
  const { tables, columns: all } = getMetadataArgsStorage();
  const known = new Set<unknown>(ENTITIES);
  return Object.fromEntries(
    tables
      .filter(({ target }) => known.has(target))
      .map((table) => [
        String(table.name),
        all
          .filter(({ target }) => target === table.target)
          .map(({ options, propertyName }) => options.name ?? propertyName)
          .sort(),
      ]),
  );
}

function queues(): Record<string, string> {
  const { main, signer, chain, vendor } = routeOf('or-00000-00000-0000000000000000');
  return { main, signer, chain: chain('EthereumSepolia'), vendor: vendor('KytA') };
}

/** Every name that a history, a row, an address or a customer's program contains. */
export function durableNames(): Record<string, unknown> {
  const sorted = (names: readonly string[]) => [...names].sort();
  return {
    workflowTypes: sorted(Object.keys(require(join(ROOT, 'workflows')) as object)),
    activities: sorted(activityNames()),
    messages: sorted(messageNames()),
    queues: queues(),
    searchAttributes: sorted(Object.values(SEARCH_ATTRIBUTES).map(({ name }) => name)),
    transferStates: Object.fromEntries(TRANSFER_STATES.map((state) => [state, STATUS_OF[state]])),
    approvalStatuses: sorted(APPROVAL_STATUSES),
    changeStatuses: sorted(CHANGE_STATUSES),
    permissionGrants: Object.fromEntries(CATALOGUE.map(([name, grants = '', formerly = '']) => [name, [grants, formerly]])),
    activityKinds: sorted(ACTIVITY_KINDS),
    callerKinds: sorted(CALLER_KINDS),
    errorCodes: Object.fromEntries(sorted(Object.keys(ERRORS)).map((code) => [code, ERRORS[code as keyof typeof ERRORS].status])),
    eventKinds: sorted(EVENT_KINDS),
    subscribableKinds: sorted(SUBSCRIBABLE_KINDS),
    auditKinds: sorted(AUDIT_KINDS),
    auditedCommands: sorted(AUDITED_COMMANDS),
    hashChains: sorted(HASH_CHAINS),
    outboxKinds: sorted(OUTBOX_KINDS),
    outboxShards: { shards: OUTBOX_SHARDS, 'xfr-00000-00000-0000000000000000': shardOf('xfr-00000-00000-0000000000000000') },
    idPrefixes: ID_PREFIXES,
    settings: Object.keys(SETTINGS).sort(),
    networks: sorted(NETWORK_NAMES),
    tables: columns(),
    operations: Object.fromEntries(
      operations.map(({ id, method, path, permission }) => [id, `${method.toUpperCase()} ${path} ${permission ?? '-'}`]).sort(),
    ),
  };
}
