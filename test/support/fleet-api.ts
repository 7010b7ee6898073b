import { randomBytes } from 'node:crypto';
import type { CeremonyRequest } from '../../application/fleets/ceremony-tasks';
import { headOf } from '../../application/fleets/manifest-head';
import { createDeliverer } from '../../application/webhooks/delivery';
import type { CeremonyKind } from '../../domain/fleets';
import { isId } from '../../domain/ids';
import { fleetStore } from '../../entities/fleets/fleet.store';
import type { Dispatch } from '../../entities/outbox/outbox.store';
import { SignedInput } from '../../platform/fleets/inputs';
import { FLEET_INPUT_PATHS } from '../../platform/fleets/reviews';
import { createLogger } from '../../platform/logger';
import { createSecretBox } from '../../platform/secret-box';
import { createRelay } from '../../worker/relay/relay';
import { type Person, startApi, type TestApi } from './api';
import type { Answer, Client } from './client';
import { ceremonyOutput, createFleet, type Fleet, type MadeOutput, sealOutput } from './fleet-outputs';
import type { Party } from './fleet-parties';
import { addOfflineStores } from './fleet-rows';
import { createFleetSigner, createFleetSteps, type DoubleOfSigner } from './fleet-steps';
import { checksumOf, GENESIS, type Submitted } from './fleet-story';

const STORES = 24;

export type GroupBody = { readonly groupId: string; readonly status: string };

/** One offline store, with devices of the test. */
export type StoreApi = {
  readonly storeId: string;
  readonly fleet: Fleet;
  readonly begin: (request?: CeremonyRequest, by?: Person) => Promise<Answer>;
  /** Begins a ceremony, and returns a genuine output for its archive. */
  readonly output: (request?: CeremonyRequest, joining?: Party, change?: (made: MadeOutput) => void) => Promise<Submitted>;
  readonly submit: (output: Submitted, kind?: CeremonyKind, by?: Person) => Promise<Answer>;
  /** The newest group. */
  readonly group: () => Promise<GroupBody>;
  readonly approve: (groupId: string, by?: Person) => Promise<Answer>;
  /** Carries out a whole ceremony. */
  readonly play: (request?: CeremonyRequest, joining?: Party) => Promise<void>;
};

export type FleetApi = {
  readonly api: TestApi;
  readonly orgId: string;
  readonly signer: DoubleOfSigner;
  readonly maker: Person;
  /** A service account. */
  readonly carrier: Person;
  readonly reviewer: Person;
  /** A person with all permissions in another organisation. */
  readonly stranger: Person;
  readonly endUser: Person;
  readonly newStore: () => StoreApi;
  readonly close: () => Promise<void>;
};

/** Sends the parts `data` and `file` with a user action that signs `data`, as the published client does in a browser. */
export async function sendForm(
  { client }: { readonly client: Client },
  path: string,
  data: string,
  file: string,
): Promise<Answer> {
  const form = new FormData();
  form.append('data', data);
  form.append('file', new Blob([file]), 'output.json');
  const userAction = await client.userAction('POST', path, data);
  const response = await fetch(`${client.baseUrl}${path}`, {
    ...{ method: 'POST', body: form },
    headers: { authorization: `Bearer ${client.identity.token}`, 'x-svc-useraction': userAction },
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as never };
}

/** The real API process with the relay and a double of the signer; the test's own process does the steps of the workflow. */
export async function startFleetApi(): Promise<FleetApi> {
  const api = await startApi();
  const { db, relayUrl } = api.database;
  const signer = createFleetSigner();
  const steps = createFleetSteps(db, signer);
  const carryOut = async (orgId: string, { kind, aggregateId }: Dispatch) => {
    if (kind !== 'event' && isId('fleetGroup', aggregateId)) await steps.advance({ orgId, groupId: aggregateId });
  };
  const relay = createRelay({
    ...{ relayUrl, logger: createLogger('relay', 'silent'), holderId: 'test' },
    dispatcher: { carryOut, tryNow: carryOut, execute: () => Promise.reject(new Error('no workflow is executed here')) },
    deliverer: createDeliverer({ db, secrets: createSecretBox(randomBytes(32), 'webhook-secrets'), allowLoopback: false }),
  });
  relay.start();
  const orgId = await api.createOrganization();
  await addOfflineStores(
    db,
    orgId,
    Array.from({ length: STORES }, (_, at) => `vault-${at + 1}`),
  );
  const [maker, carrier, reviewer, endUser, stranger] = await Promise.all([
    api.createPerson(orgId),
    api.createPerson(orgId, { isServiceAccount: true }),
    api.createPerson(orgId),
    api.createPerson(orgId, { kind: 'EndUser' }),
    api.createOrganization().then((other) => api.createPerson(other)),
  ]);
  let stores = 0;
  const newStore = (): StoreApi => {
    const storeId = `vault-${++stores}`;
    const fleet = createFleet();
    const at = (rest: string) => `/key-stores/${storeId}/${rest}`;
    const pathOf = (kind: CeremonyKind) => FLEET_INPUT_PATHS[kind].replace(':storeId', storeId);
    const store: StoreApi = {
      ...{ storeId, fleet },
      begin: (request = GENESIS, by = maker) => by.client.change('POST', pathOf(request.kind), request),
      output: async (request, joining, change = () => undefined) => {
        const { status, body } = await store.begin(request);
        if (status !== 200) throw new Error(`the ceremony did not begin: ${JSON.stringify(body)}`);
        const { input } = SignedInput.parse(JSON.parse(body));
        const row = await fleetStore.find(db.read(orgId), storeId);
        const made = ceremonyOutput({ fleet, input, head: row ? headOf(row) : null, ...(joining ? { joining } : {}) });
        change(made);
        return sealOutput(made) as Submitted;
      },
      submit: ({ outputJson, file }, kind = 'Genesis', by = carrier) => {
        const data = JSON.stringify({ fileChecksum: checksumOf(file), outputJson });
        return sendForm(by, pathOf(kind).replace(/input$/, 'output'), data, file);
      },
      group: async () => {
        const { body } = await maker.client.get(at('fleet-operations'));
        const [group] = (body as { items: GroupBody[] }).items;
        if (!group) throw new Error('the store has no group');
        return group;
      },
      approve: async (groupId, by = reviewer) => {
        const { body } = await by.client.get(at(`fleet-operations/${groupId}`));
        const { proposal } = body as { proposal?: { manifest: { digest: string } } };
        const manifest = proposal?.manifest.digest ?? '0'.repeat(64);
        return by.client.change('POST', at(`fleet-operations/${groupId}/approve`), { manifest });
      },
      play: async (request = GENESIS, joining) => {
        const submitted = await store.submit(await store.output(request, joining), request.kind);
        if (submitted.status !== 200) throw new Error(JSON.stringify(submitted.body));
        const approved = await store.approve((await store.group()).groupId);
        if (approved.status !== 200) throw new Error(JSON.stringify(approved.body));
      },
    };
    return store;
  };
  return {
    ...{ api, orgId, signer, maker, carrier, reviewer, stranger, endUser, newStore },
    close: async () => {
      await relay.stop();
      await api.close();
    },
  };
}
