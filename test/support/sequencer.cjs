const { readFileSync } = require('node:fs');
const { sep } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/** The number of files in this run that join a shared installation. The workers inherit the variable. */
const JOINERS_VARIABLE = 'STRONGROOM_TEST_JOINERS';
const WHOLE_INSTALLATIONS = [`${sep}end-to-end${sep}`, `${sep}red-team${sep}`];
const JOINS = /\bjoinService\(/;

/**
 * Files that share an installation run first. The installation can then end after the last of them, because an idle
 * installation costs a tenth of a core. Files with their own installation follow. Other files run between them, and keep the
 * processor busy while an installation waits for blocks and timers.
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

/** Spreads the files with own installations over the first two thirds of the others, so that no run ends with such a file. */
function spread(owners, others) {
  const step = Math.max(1, Math.floor((others.length * 2) / 3 / Math.max(1, owners.length)));
  return [
    ...owners.flatMap((owner, n) => [owner, ...others.slice(n * step, (n + 1) * step)]),
    ...others.slice(owners.length * step),
  ];
}

module.exports = InstallationsFirst;
