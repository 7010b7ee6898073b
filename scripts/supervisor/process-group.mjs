import { Refusal } from '../prepare/run.mjs';
import { LOCAL_NETWORKS } from './local-networks.mjs';

/** A client stops before its server. Each part gets this many milliseconds to finish its work. */
const STOP_ORDER = [
  ['api', 15_000],
  ['worker', 20_000],
  ['signer', 10_000],
  ['replica', 10_000],
  ['mailbox', 5_000],
  ['vendors', 5_000],
  ['chain', 10_000],
  ...LOCAL_NETWORKS.map(({ name }) => [name, 10_000]),
  ['temporal', 15_000],
  ['postgres', 30_000],
];

/** A further process of a role also has this role: `worker-2` has the role `worker`. */
const isOf = (role) => (member) => member.role === role || member.role.startsWith(`${role}-`);

/**
 * Processes that stop together. If a process ends unexpectedly, the group calls `onDeath`. Without `onDeath`, the promise
 * `death` rejects.
 */
export function createProcessGroup(output, onDeath) {
  const members = new Map();
  let stopping = false;
  let reportDeath;
  const death = new Promise((_, reject) => (reportDeath = reject));
  death.catch(() => undefined);

  function add(child) {
    members.set(child.role, child);
    void child.exited.then((how) => {
      if (stopping || members.get(child.role) !== child) return;
      members.delete(child.role);
      if (onDeath) onDeath(child.role, how);
      else reportDeath(new Refusal(`${child.role} ended unexpectedly (${how}); its last output is above. Stopping the rest.`));
    });
    if (stopping) child.kill(); // the start of this child was under way when the stop began
    return child;
  }

  /** Removes the member `role`. The caller must then end the process of the member. */
  function leave(role) {
    const child = members.get(role);
    if (!child) throw new Refusal(`${role} does not run`);
    members.delete(role);
    return child;
  }

  async function stopAll() {
    stopping = true;
    for (const [role, graceMs] of STOP_ORDER) {
      for (const child of [...members.values()].filter(isOf(role))) {
        const outcome = await child.stop(graceMs);
        output.lineOf(child.role)(outcome);
      }
    }
  }
  return { add, leave, pidOf: (role) => members.get(role)?.pid, stopAll, death };
}
