const { readFileSync } = require('node:fs');
const { sep } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/** How many files of this run join a shared installation, for the workers, which inherit it. */
const JOINERS_VARIABLE = 'STRONGROOM_TEST_JOINERS';
const WHOLE_INSTALLATIONS = [`${sep}end-to-end${sep}`, `${sep}red-team${sep}`];
const JOINS = /\bjoinService\(/;

/**
 * Files that share an installation come first, so that it can end when the last of them has: an idle one costs a tenth of a core. Files
 * with an installation of their own follow, each between files that keep the processor busy while it waits for blocks and timers.
 */
class InstallationsFirst extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    const whole = sorted.filter(({ path }) => WHOLE_INSTALLATIONS.some((folder) => path.includes(folder)));
    const joiners = whole.filter(({ path }) => JOINS.test(readFileSync(path, 'utf8')));
    const others = sorted.filter((test) => !whole.includes(test));
    const owners = whole.filter((test) => !joiners.includes(test));
    process.env[JOINERS_VARIABLE] = String(joiners.length);
    return [...joiners, ...spread(owners, others)];
  }
}

/** The owners among the first two thirds of the others, so that the run does not end on a file that waits. */
function spread(owners, others) {
  const step = Math.max(1, Math.floor((others.length * 2) / 3 / Math.max(1, owners.length)));
  return [
    ...owners.flatMap((owner, n) => [owner, ...others.slice(n * step, (n + 1) * step)]),
    ...others.slice(owners.length * step),
  ];
}

module.exports = InstallationsFirst;
