import { randomBytes } from 'node:crypto';
import { createDeliverer } from '../../application/webhooks/delivery';
import { isId } from '../../domain/ids';
import { fleetStore } from '../../entities/fleets/fleet.store';
import type { Dispatch } from '../../entities/outbox/outbox.store';
import { canonical } from '../../platform/canonical';
import { SignedInput, type SignRequest } from '../../platform/fleets/inputs';
import { manifestDigest, type SignedManifest } from '../../platform/fleets/manifests';
import type { SignOutputJson } from '../../platform/fleets/outputs';
import { FLEET_INPUT_PATHS } from '../../platform/fleets/reviews';
import { createLogger } from '../../platform/logger';
import { createSecretBox } from '../../platform/secret-box';
import { createRelay } from '../../worker/relay/relay';
import { type Person, startApi, type TestApi } from './api';
import type { Answer } from './client';
import { type GroupBody, sendForm } from './fleet-api';
import { ceremonyOutput, createFleet, fleetInput, genesisTask, outputFile, sealOutput } from './fleet-outputs';
import { addOfflineStores } from './fleet-rows';
import { checksumOf } from './fleet-story';
import { createOfflineSteps, OFFLINE_STORE_ID, type OfflineSteps } from './offline-steps';

type SignOutput = { readonly outputJson: SignOutputJson; readonly file: string };
type Result = SignOutputJson['outputs'][string];

/** An organisation with an offline store, whose only wallet has a key of the store. */
export type SigningOffice = {
  readonly orgId: string;
  readonly steps: OfflineSteps;
  readonly maker: Person;
  readonly begin: (by?: Person) => Promise<Answer>;
  /** Begins a group, and returns a genuine output for its archive. By default, the device signs every request. */
  readonly output: (refused?: readonly string[]) => Promise<SignOutput>;
  readonly submit: (output: SignOutput, by?: Person) => Promise<Answer>;
  /** The newest group. */
  readonly group: () => Promise<GroupBody>;
};

export type SigningApi = {
  readonly api: TestApi;
  /** A person with all permissions in another organisation. */
  readonly stranger: Person;
  readonly createOffice: () => Promise<SigningOffice>;
  readonly close: () => Promise<void>;
};

export const ONCHAIN_SIGN_PATH = FLEET_INPUT_PATHS.OnchainSign.replace(':storeId', OFFLINE_STORE_ID);
const OUTPUT_PATH = ONCHAIN_SIGN_PATH.replace(/input$/, 'output');
const REFUSAL: Result = { type: 'onchain-sign-v1', result: { fail: { message: 'Not on the list.', code: 'NotListed' } } };

/** The result for a request that the device signs. */
async function signedBy(steps: OfflineSteps, { requestId, key }: SignRequest): Promise<Result> {
  const { unsignedHex: bytesHex } = await steps.payload(requestId);
  const { signature, digestHex } = await steps.sign({ bytesHex } as never);
  const signed = { signer_public_key: key.publicKey, exact_bytes_signed: digestHex.slice(2) };
  const success = { '0': { ...signed, signature: `${signature.r.slice(2)}${signature.s.slice(2)}` } };
  return { type: 'onchain-sign-v1', result: { success } };
}

/** The real API process with the relay; the test's own process does the steps of the workflows, and plays signer and device. */
export async function startSigningApi(): Promise<SigningApi> {
  const api = await startApi();
  const { db, relayUrl } = api.database;
  const offices = new Map<string, OfflineSteps>();
  const carryOut = async (orgId: string, { kind, aggregateId }: Dispatch) => {
    if (kind !== 'event' && isId('fleetGroup', aggregateId)) {
      await offices.get(orgId)?.fleet.advance({ orgId, groupId: aggregateId });
    }
  };
  const relay = createRelay({
    ...{ relayUrl, logger: createLogger('relay', 'silent'), holderId: 'test' },
    dispatcher: { carryOut, tryNow: carryOut, execute: () => Promise.reject(new Error('no workflow is executed here')) },
    deliverer: createDeliverer({ db, secrets: createSecretBox(randomBytes(32), 'webhook-secrets'), allowLoopback: false }),
  });
  relay.start();
  const stranger = await api.createPerson(await api.createOrganization());
  return {
    ...{ api, stranger },
    createOffice: async () => {
      const steps = await createOfflineSteps(api.database);
      offices.set(steps.orgId, steps);
      return officeOf(api, steps);
    },
    close: async () => {
      await relay.stop();
      await api.close();
    },
  };
}

async function officeOf({ database: { db }, createPerson }: TestApi, steps: OfflineSteps): Promise<SigningOffice> {
  const { orgId } = steps;
  await addOfflineStores(db, orgId, [OFFLINE_STORE_ID]);
  const fleet = createFleet();
  const [device] = fleet.devices;
  if (!device) throw new Error('the fleet has a device');
  const genesis = ceremonyOutput({ fleet, input: fleetInput(genesisTask({ secp256k1: 1, ed25519: 1 }), null), head: null });
  const signed = genesis.output.manifest as SignedManifest;
  const head = { digest: manifestDigest(signed.manifest), text: canonical(signed as never), n: 0 };
  await db.withOrg(orgId, (tx) => fleetStore.commit(tx, OFFLINE_STORE_ID, null, head));
  const maker = await createPerson(orgId);
  const office: SigningOffice = {
    ...{ orgId, steps, maker },
    begin: (by = maker) => by.client.change('POST', ONCHAIN_SIGN_PATH, {}),
    output: async (refused = []) => {
      const { status, body } = await office.begin();
      if (status !== 200) throw new Error(`the group did not begin: ${JSON.stringify(body)}`);
      const { input } = SignedInput.parse(JSON.parse(body));
      if (input.task.kind !== 'OnchainSign') throw new Error('the group signs requests');
      const outputs: Record<string, Result> = {};
      for (const request of input.task.requests) {
        outputs[request.operationId] = refused.includes(request.requestId) ? REFUSAL : await signedBy(steps, request);
      }
      const some = refused.length === 0 ? 'success' : 'partial';
      const outputJson: SignOutputJson = {
        ...{ type: 'keystore-output', version: 1, org_id: input.orgId, fleet_id: input.fleetId },
        ...{ keystore_id: input.storeId, group_id: input.groupId, outputs },
        status: refused.length === input.task.requests.length ? 'fail' : some,
      };
      return sealOutput({ outputJson, output: outputFile(input, { device, manifest: null }), device }) as SignOutput;
    },
    submit: ({ outputJson, file }, by = maker) =>
      sendForm(by, OUTPUT_PATH, JSON.stringify({ fileChecksum: checksumOf(file), outputJson }), file),
    group: async () => {
      const open = await maker.client.get(`/key-stores/${OFFLINE_STORE_ID}/fleet-operations`);
      const [group] = (open.body as { items: GroupBody[] }).items;
      if (!group) throw new Error('the store has no group');
      return group;
    },
  };
  return office;
}
