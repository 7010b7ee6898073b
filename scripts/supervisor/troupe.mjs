import { Refusal } from '../prepare/run.mjs';

/** From the outside in: who asks is stopped before who answers. Each with the time it gets to finish what it has begun. */
const STOP_ORDER = [
  ['api', 15_000],
  ['worker', 20_000],
  ['signer', 10_000],
  ['chain', 10_000],
  ['temporal', 15_000],
  ['postgres', 30_000],
];

/** The processes that belong together: one that ends unasked is the end of all. */
export function createTroupe(output) {
  const members = new Map();
  let stopping = false;
  let reportDeath;
  const death = new Promise((_, reject) => (reportDeath = reject));
  death.catch(() => undefined);

  function add(child) {
    members.set(child.role, child);
    void child.exited.then((how) => {
      if (!stopping)
        reportDeath(new Refusal(`${child.role} ended unexpectedly (${how}); its last words are above. Stopping the rest.`));
    });
    if (stopping) child.kill(); // it was being started while the stop began
    return child;
  }

  async function stopAll() {
    stopping = true;
    for (const [role, graceMs] of STOP_ORDER) {
      const child = members.get(role);
      if (!child) continue;
      const outcome = await child.stop(graceMs);
      output.lineOf(role)(outcome);
    }
  }
  return { add, stopAll, death };
}
