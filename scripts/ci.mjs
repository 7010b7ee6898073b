// Runs all tests, all checks and the short crash drill, even if one of the three fails. The last line of the output has the
// numbers of passed and failed results. The drill runs first and the checks run after the drill. The tests run beside drill and
// checks, because tests and drill often wait. The script prints the output of drill and checks after the output of the tests.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const NOTHING = { passed: 0, failed: 1 };

const folder = mkdtempSync(join(tmpdir(), 'strongroom-ci-'));
const report = join(folder, 'tests.json');
const testing = npm(['test', '--', '--json', `--outputFile=${report}`], (chunk) => process.stdout.write(chunk));
const drill = await npm(['run', 'drill', '--', '--short']);
const checks = await npm(['run', 'check', '--', '--without-tests']);
const counted = [withCode(await testing, countTests(report))];
process.stdout.write(drill.output + checks.output);
counted.push(withCode(checks, countLine(checks.output, /^(\d+) checks passed, (\d+) failed$/m)));
counted.push(withCode(drill, countLine(drill.output, /^(\d+) cells passed, (\d+) failed$/m)));
rmSync(folder, { recursive: true, force: true });

const passed = counted.reduce((sum, part) => sum + part.passed, 0);
const failed = counted.reduce((sum, part) => sum + part.failed, 0);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);

function npm(args, show = () => {}) {
  return new Promise((resolve) => {
    const child = spawn('npm', args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      show(chunk);
    });
    child.once('error', (error) => resolve({ code: 1, output: error.message }));
    child.once('close', (code) => resolve({ code, output }));
  });
}

/** Counts the tests in Jest's report. A suite that could not be loaded has no failed test but counts as a failure. */
function countTests(file) {
  try {
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(readFileSync(file, 'utf8'));
    return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
  } catch {
    return NOTHING;
  }
}

function countLine(output, line) {
  const found = output.match(line);
  return found ? { passed: Number(found[1]), failed: Number(found[2]) } : NOTHING;
}

/** Adds one failure if the exit code tells of a failure and no failure was counted. */
function withCode({ code }, { passed, failed }) {
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed };
}
