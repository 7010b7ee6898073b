import type { Example } from '../../api/http/examples';
import type { CeremonyRequest } from '../../application/fleets/ceremony-tasks';
import { fleetGroupStore } from '../../entities/fleets/fleet-group.store';
import { FLEET_INPUT_PATHS } from '../../platform/fleets/reviews';
import { type FleetApi, type GroupBody, type StoreApi, sendForm, startFleetApi } from './fleet-api';
import type { Party } from './fleet-parties';
import { refusedBySigner } from './fleet-steps';
import { checksumOf, type Submitted } from './fleet-story';
import { faultAt, refusal, START_LIMIT_MS } from './wallet-api';

type Case = {
  readonly request: CeremonyRequest;
  /** The member that joins the fleet. */
  readonly joining?: Party;
  /** Records the accepted exchange as the example of the operation. */
  readonly note: (body: unknown, answer: { readonly status: number; readonly body: unknown }, params: Example['params']) => void;
  /** Members with which the request is refused, and the path of the fault. */
  readonly bad: readonly (readonly [string, Readonly<Record<string, unknown>>])[];
};

let fleets: FleetApi;
let store: StoreApi;

function prepare({ request: { kind } }: Case): void {
  beforeAll(async () => {
    fleets = await startFleetApi();
  }, START_LIMIT_MS);
  afterAll(() => fleets?.close());
  beforeEach(async () => {
    store = fleets.newStore();
    if (kind !== 'Genesis') await store.play();
  });
}

const pathAt = ({ request: { kind } }: Case, storeId: string) => FLEET_INPUT_PATHS[kind].replace(':storeId', storeId);

/** The promises of each operation that begins a ceremony. */
export function testsOfInput(one: Case): void {
  const { request } = one;
  prepare(one);

  test('200: the archive is a text, which the group returns again, and nothing changes before the review', async () => {
    const { status, body } = await store.begin(request);
    expect([status, typeof body]).toEqual([200, 'string']);
    one.note(request, { status, body }, { storeId: store.storeId });
    const { groupId, ...group } = (await store.group()) as GroupBody & Readonly<Record<string, unknown>>;
    expect(group).toEqual({
      ...{ storeId: store.storeId, orgId: fleets.orgId, status: 'Initialized', createdBy: fleets.maker.userId },
      dateCreated: expect.any(String),
      operations: [
        {
          operationId: expect.stringMatching(/^fo-/),
          kind: request.kind,
          status: 'Initialized',
          dateCreated: expect.any(String),
        },
      ],
    });
    const again = await fleets.maker.client.get(`/key-stores/${store.storeId}/fleet-operations/${groupId}/archive`);
    expect(again.body).toBe(body);
  });

  test.each(one.bad)('400: the body is refused at %s', async (path, change) => {
    const answer = await fleets.maker.client.change('POST', pathAt(one, store.storeId), { ...request, ...change });
    expect(answer).toMatchObject(refusal(400, 'InvalidRequest', faultAt(path)));
    expect(await fleetGroupStore.openOf(fleets.api.database.db.read(fleets.orgId), store.storeId)).toBeUndefined();
  });

  test('403: an end user, and a person without the permission, cannot begin it', async () => {
    const reader = await fleets.api.createPerson(fleets.orgId, { operations: ['KeyStores:Read'] });
    for (const by of [fleets.endUser, reader]) expect((await store.begin(request, by)).status).toBe(403);
  });

  test('404: the key store is the software store, unknown, or of another organisation', async () => {
    for (const storeId of ['software', 'no-such-store']) {
      const answer = await fleets.maker.client.change('POST', pathAt(one, storeId), request);
      expect(answer).toMatchObject(refusal(404, 'NotFound', { storeId }));
    }
    expect((await store.begin(request, fleets.stranger)).status).toBe(404);
  });

  test('409: the key store has an open group, or the state of its fleet does not allow the ceremony', async () => {
    await store.begin(request);
    const { groupId } = await store.group();
    expect(await store.begin(request)).toMatchObject(refusal(409, 'Conflict', { groupId, status: 'Initialized' }));
    const other = fleets.newStore();
    if (request.kind === 'Genesis') await other.play();
    expect(await other.begin(request)).toMatchObject(refusal(409, 'WrongState', { storeId: other.storeId }));
  });

  test('409: the signer refuses the archive, and the group is canceled', async () => {
    fleets.signer.before = () => {
      throw refusedBySigner('NotPermitted');
    };
    const answer = await store.begin(request).finally(() => {
      fleets.signer.before = () => undefined;
    });
    const { groupId } = await store.group();
    expect(answer).toMatchObject(refusal(409, 'WrongState', { groupId, status: 'Canceled' }));
  });
}

/** Every run has another operation id, and the members of an example are the same in each run. */
const shownOutput = ({ outputJson, file }: Submitted) => ({
  fileChecksum: checksumOf(file),
  outputJson: { ...outputJson, outputs: { 'fo-01m8q-a0000-0000000000000000': Object.values(outputJson.outputs)[0] } },
});

/** The promises of each operation that submits the output of a ceremony. */
export function testsOfOutput(one: Case): void {
  const { request, joining } = one;
  const { kind } = request;
  prepare(one);

  test('200: a genuine output brings the group into review', async () => {
    const output = await store.output(request, joining);
    const { status, body } = await store.submit(output, kind);
    expect([status, body]).toEqual([200, { message: expect.any(String) }]);
    one.note(shownOutput(output), { status, body }, { storeId: store.storeId });
    expect(await store.group()).toMatchObject({ status: 'InReview', submittedBy: fleets.carrier.userId });
  });

  test('400: the failed check is named, nothing is consumed, and a genuine output is accepted afterwards', async () => {
    const output = await store.output(request, joining);
    const forged = { ...output, file: output.file.replace(/"n":\d+/, '"n":77') };
    const { groupId } = await store.group();
    expect(await store.submit(forged, kind)).toMatchObject(
      refusal(400, 'FleetOutputInvalid', { check: 'DeviceSignature', groupId }),
    );
    expect((await store.submit(output, kind)).status).toBe(200);
  });

  test('400: the checksum is not that of the file, or the body is the text of a form object', async () => {
    const output = await store.output(request, joining);
    const path = pathAt(one, store.storeId).replace(/input$/, 'output');
    const { client } = fleets.carrier;
    const text = '[object FormData]';
    const userAction = await client.userAction('POST', path, text);
    const sent = await client.send({ method: 'POST', path, text, headers: { 'x-svc-useraction': userAction } });
    expect(sent).toMatchObject(refusal(400, 'InvalidRequest', faultAt('body')));
    const data = JSON.stringify({ fileChecksum: '0'.repeat(64), outputJson: output.outputJson });
    expect(await sendForm(fleets.carrier, path, data, output.file)).toMatchObject(
      refusal(400, 'InvalidRequest', faultAt('body.fileChecksum')),
    );
  });

  test('403: an end user, and a person without the permission, cannot submit it', async () => {
    const output = await store.output(request, joining);
    const reader = await fleets.api.createPerson(fleets.orgId, { operations: ['KeyStores:Read'] });
    for (const by of [fleets.endUser, reader]) expect((await store.submit(output, kind, by)).status).toBe(403);
  });

  test('404: the key store is of another organisation', async () => {
    const output = await store.output(request, joining);
    expect((await store.submit(output, kind, fleets.stranger)).status).toBe(404);
  });

  test('409: of two outputs at once one is accepted, and none is accepted after the review', async () => {
    const output = await store.output(request, joining);
    const answers = await Promise.all([store.submit(output, kind), store.submit(output, kind)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { groupId } = await store.group();
    expect(await store.submit(output, kind)).toMatchObject(refusal(409, 'WrongState', { groupId, status: 'InReview' }));
    await store.approve(groupId);
    expect(await store.submit(output, kind)).toMatchObject(refusal(409, 'WrongState', { groupId, status: 'Approved' }));
  });
}
