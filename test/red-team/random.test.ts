import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ATTACK_GROUPS } from '../../red-team/attacks/all';
import { type RunOptions, runRedTeam } from '../../red-team/run';
import { openStage } from '../../red-team/stage';
import { ROOT } from '../support/compose';

jest.setTimeout(240_000);
const ATTEMPTS = 300;
const hasNative = existsSync(join(ROOT, 'dist', 'signer', 'native', 'strongroom.node'));
const arithmetic = hasNative ? 'native' : 'portable';

async function attacked(isChartered: boolean, goesOn: RunOptions['goesOn']) {
  const stage = await openStage({ arithmetic, isCompiled: true, isChartered });
  let isStopped = false;
  try {
    const { signer, organization, stateDir } = stage;
    const result = await runRedTeam(signer, organization, { seed: 'suite', goesOn, lanes: 8, stateDir, groups: ATTACK_GROUPS });
    const { logEntries } = await signer.client.health();
    await signer.stop();
    isStopped = true;
    await stage.assertJournal(logEntries);
    return result;
  } finally {
    if (!isStopped) await stage.signer.stop();
    stage.close();
  }
}

test('random changes of genuine orders do not give the attacker a gain, and every honest order is carried out', async () => {
  const { tally, successes, faults, fates } = await attacked(true, ({ attempts }) => attempts < ATTEMPTS);
  expect([successes, faults]).toEqual([[], []]);
  expect(tally.attempts()).toBeGreaterThanOrEqual(ATTEMPTS);
  expect(fates.done).toBeGreaterThan(50);
  // The attempts reach the code that judges people's signatures, and not only the parser.
  const deep = ['ActionMismatch', 'AssertionInvalid', 'RequestMismatch', 'ApprovalMismatch', 'VotesMissing', 'InitiatorMissing'];
  expect([...tally.reasons()]).toEqual(expect.arrayContaining(deep));
});

test('without a charter the attacker succeeds soon', async () => {
  const { successes } = await attacked(false, ({ attempts, successes: found }) => found === 0 && attempts < ATTEMPTS);
  expect(successes).not.toEqual([]);
});
