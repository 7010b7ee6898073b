import type { Judgement } from '../../domain/judgements';
import { newId } from '../../platform/ids';
import { SEARCH_ATTRIBUTES } from '../../platform/search-attributes';
import { inTurn } from '../support/in-turn';
import { openTransferStage, type Transfer, type TransferStage } from '../support/transfer-life';
import { waitUntil } from '../support/wait-until';

let stage: TransferStage;
beforeAll(async () => {
  stage = await openTransferStage();
}, 120_000);
afterAll(() => stage?.close());

const DAY_MS = 24 * 3_600_000;
const GROUPS = [
  { groupId: 'gr-finance', name: 'Finance', quorum: 1, have: 0 },
  { groupId: 'gr-board', name: 'Board', quorum: 1, have: 0 },
];
const heldBy = (approvalId: string): Judgement & { outcome: 'Held' } => ({ outcome: 'Held', approvalId, groups: GROUPS });
const CLEARED: Judgement = { outcome: 'Cleared' };

const approvalOf = (id: string) => stage.environment.client.workflow.getHandle(id);
const running = (id: string) =>
  waitUntil('the approval', () =>
    approvalOf(id)
      .describe()
      .then(
        ({ status }) => status.name === 'RUNNING',
        () => false,
      ),
  );
const eventsOf = async (workflow: Pick<Transfer, 'fetchHistory'>) => (await workflow.fetchHistory()).events ?? [];

test('a request to cancel only the approval changes nothing: people still decide', async () => {
  const id = newId('approval');
  const evaluateTransfer = inTurn<Judgement>(heldBy(id), CLEARED);
  const replaced = { evaluateTransfer, readSettled: async () => 'Confirmed' as const };
  await stage.play('approval-cancel-requested', replaced, async (transfer) => {
    await running(id);
    await approvalOf(id).cancel();
    await transfer.signal('approvalChanged');
    expect(await transfer.result()).toBe('Confirmed');
    expect(await approvalOf(id).result()).toBe('Approved');
  });
});

test('a transfer that no policy holds does not start a further workflow and records nothing about approvals', async () => {
  await stage.play('nothing-held', { readSettled: async () => 'Confirmed' }, async (transfer) => {
    expect(await transfer.result()).toBe('Confirmed');
    const events = await eventsOf(transfer);
    expect(events.filter((one) => one.startChildWorkflowExecutionInitiatedEventAttributes)).toEqual([]);
    const patches = events.flatMap(({ markerRecordedEventAttributes: of }) => (of?.markerName === 'core_patch' ? [of] : []));
    expect(patches).toEqual([]);
  });
});

test('the search attributes of an approval contain ids and times, and no name that people chose', async () => {
  const id = newId('approval');
  const evaluateTransfer = async (): Promise<Judgement> => ({ ...heldBy(id), rejectsItselfAfterMs: DAY_MS });
  await stage.play('approval-in-search', { evaluateTransfer }, async (transfer) => {
    expect(await transfer.result()).toBe('Rejected');
    const [start] = await eventsOf(approvalOf(id));
    const shown = start?.workflowExecutionStartedEventAttributes?.searchAttributes?.indexedFields ?? {};
    expect(Object.keys(shown).sort()).toEqual(['ApprovalGroup', 'Deadline', 'OrgId', 'Stage']);
    const { startTime, typedSearchAttributes } = await approvalOf(id).describe();
    expect(typedSearchAttributes.get(SEARCH_ATTRIBUTES.approvalGroup)).toEqual(['gr-finance', 'gr-board']);
    const deadlineMs = typedSearchAttributes.get(SEARCH_ATTRIBUTES.deadline)?.getTime() ?? 0;
    expect(Math.abs(deadlineMs - startTime.getTime() - DAY_MS)).toBeLessThan(60_000);
  });
});

test('the details that an operator sees show whom the approval waits for and until when', async () => {
  const id = newId('approval');
  const evaluateTransfer = async (): Promise<Judgement> => ({ ...heldBy(id), rejectsItselfAfterMs: DAY_MS });
  await stage.play('details', { evaluateTransfer }, async (transfer) => {
    const shown = () =>
      approvalOf(id)
        .query<string>('__temporal_workflow_metadata')
        .then(JSON.stringify, () => '');
    const details = await waitUntil('details', async () => (await shown().then((text) => text.includes('Finance'))) && shown());
    expect(details).toMatch(/waiting for 1 of 1 in group \*\*Finance\*\*/);
    expect(details).toMatch(/is rejected automatically at \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    await transfer.terminate();
  });
});
