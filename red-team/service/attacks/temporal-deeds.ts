import { routeOf } from '../../../domain/routes';
import { newId } from '../../../platform/ids';
import { TRANSFER_SIGNALS } from '../../../workflows/transfer.messages';
import type { Outcome } from '../../wire';
import { anyRequest, type Deed, isTransfer, type ServiceScene } from './deed';

const reasonOf = (error: unknown) => (error instanceof Error ? error.name : 'unknown');

/** Makes an attempt with Temporal's client. Temporal's refusals are counted by the names of their errors. */
const told = (kind: string, weight: number, tell: (scene: ServiceScene) => Promise<unknown>): Deed => ({
  kind,
  weight,
  act: async (scene): Promise<Outcome | undefined> => {
    try {
      const result = await tell(scene);
      return result === undefined ? undefined : { kind: 'Accepted', result: {} };
    } catch (error) {
      return { kind: 'Refused', reason: reasonOf(error) };
    }
  },
});

/** Makes the workers carry out a step with chosen arguments. */
async function step({ hands, company, random, ...scene }: ServiceScene): Promise<unknown> {
  const isChosen = random.share() < 0.8;
  const found = anyRequest({ hands, company, random, ...scene }, (one) => isTransfer(one) && (isChosen ? one.isForbidden : true));
  if (!found) return undefined;
  const ref = { orgId: company.orgId, transferId: found.id };
  const { main, signer, chain: chainOf } = routeOf(company.orgId);
  const chain = chainOf('EthereumSepolia');
  const [queue, name, args] = random.oneOf<readonly [string, string, readonly unknown[]]>([
    [main, 'evaluateTransfer', [ref]],
    [main, 'readHold', [ref, found.approvalId]],
    [chain, 'prepareTransfer', [{ ...ref, through: true }]],
    [signer, 'signTransfer', [ref]],
    [signer, 'signTransfer', [ref]],
    [chain, 'broadcastTransfer', [ref]],
    [signer, 'applyFreeze', [{ orgId: company.orgId, freezeId: company.freezeId }]],
  ]);
  return (await hands.temporal.run(queue, name, args)) ?? 'nothing';
}

async function signal(scene: ServiceScene): Promise<unknown> {
  const found = anyRequest(scene);
  if (!found) return undefined;
  const { random, hands } = scene;
  const handle = hands.temporal.workflow.getHandle(random.share() < 0.5 ? found.id : (found.approvalId ?? found.id));
  const name = random.oneOf(Object.values(TRANSFER_SIGNALS));
  await handle.signal(name, ...(name === TRANSFER_SIGNALS.settled ? ['Confirmed'] : []));
  return name;
}

async function terminate(scene: ServiceScene): Promise<unknown> {
  const found = anyRequest(scene);
  if (!found) return undefined;
  await scene.hands.temporal.workflow.getHandle(found.id).terminate('mine');
  return 'terminated';
}

/** Starts the workflow of a request a second time, or under another id and with altered inputs. */
async function startAgain(scene: ServiceScene): Promise<unknown> {
  const found = anyRequest(scene, isTransfer);
  if (!found) return undefined;
  const { random, company } = scene;
  const routing = {
    network: 'EthereumSepolia',
    walletId: found.wallet.id,
    ...(random.share() < 0.5 ? { prepared: 'true' } : {}),
  };
  const input = { orgId: company.orgId, id: found.id, routing, ...(random.share() < 0.5 ? { prepared: true } : {}) };
  const workflowId = random.share() < 0.5 ? found.id : newId('transfer');
  await scene.hands.temporal.workflow.start('transfer', { workflowId, taskQueue: routeOf(company.orgId).main, args: [input] });
  return workflowId;
}

/** Attacks on the service's workflows with Temporal's client. */
export const TEMPORAL_DEEDS: readonly Deed[] = [
  told('temporal: a step with chosen arguments', 4, step),
  told('temporal: a signal', 3, signal),
  told('temporal: a workflow is ended', 1, terminate),
  told('temporal: a workflow is started', 3, startAgain),
];
