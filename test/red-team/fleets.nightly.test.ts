import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type FleetRunOptions, runFleetRedTeam } from '../../red-team/fleets/run';
import { openVault } from '../../red-team/fleets/vault';
import { ROOT } from '../support/compose';

jest.setTimeout(240_000);
const hasNative = existsSync(join(ROOT, 'dist', 'signer', 'native', 'strongroom.node'));
const arithmetic = hasNative ? 'native' : 'portable';
const SEED = process.env['RED_TEAM_SEED'] ?? String(Date.now() % 1_000_000);
const ATTEMPTS = 400;

async function attacked(isGuarded: boolean, seed: string, goesOn: FleetRunOptions['goesOn']) {
  const vault = await openVault({ arithmetic, isGuarded });
  try {
    return await runFleetRedTeam(vault, { seed, goesOn });
  } finally {
    await vault.close();
  }
}

test(`no archive gets a signature that people did not ask for (RED_TEAM_SEED=${SEED})`, async () => {
  const { tally, successes, faults, honest } = await attacked(true, SEED, ({ attempts }) => attempts < ATTEMPTS);
  process.stdout.write(`${tally.lines().join('\n')}\n`);
  expect([successes, faults]).toEqual([[], []]);
  expect(tally.attempts()).toBeGreaterThanOrEqual(ATTEMPTS);
  expect(honest).toBeGreaterThan(10);
  // The attempts reach the checks of the signer and of the device, and not only their parsers.
  const deep = ['AssertionInvalid', 'FleetInputMismatch', 'device: AssertionInvalid', 'device: InitiatorMissing'];
  expect([...tally.reasons()]).toEqual(expect.arrayContaining(deep));
});

test('without a charter on the device, an attacker with the key of the signer succeeds soon', async () => {
  const goesOn: FleetRunOptions['goesOn'] = ({ attempts, successes }) => successes === 0 && attempts < ATTEMPTS;
  const { successes } = await attacked(false, 'unguarded', goesOn);
  expect(successes).not.toEqual([]);
});
