// Runs all tests, all checks and the short crash drill, even if an earlier part fails. The last line contains the numbers of
// passed and failed results. The drill runs alone. On a busy machine, activities that wait at a point of the drill would time
// out, and their next attempts would fill the worker's slots.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const NOTHING = { passed: 0, failed: 1 };

const folder = mkdtempSync(join(tmpdir(), 'strongroom-ci-'));
const report = join(folder, 'tests.json');
const tests = await npm(['test', '--', '--json', `--outputFile=${report}`]);
const counted = [withCode(tests, countTests(report))];
const checks = await npm(['run', 'check', '--', '--without-tests']);
counted.push(withCode(checks, countLine(checks.output, /^(\d+) checks passed, (\d+) failed$/m)));
const drill = await npm(['run', 'drill', '--', '--short']);
counted.push(withCode(drill, countLine(drill.output, /^(\d+) cells passed, (\d+) failed$/m)));
rmSync(folder, { recursive: true, force: true });

const passed = counted.reduce((sum, part) => sum + part.passed, 0);
const failed = counted.reduce((sum, part) => sum + part.failed, 0);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);

function npm(args) {
  return new Promise((resolve) => {
    const child = spawn('npm', args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      process.stdout.write(chunk);
    });
    child.once('error', (error) => resolve({ code: 1, output: error.message }));
    child.once('close', (code) => resolve({ code, output }));
  });
}

/** A suite that Jest could not load has no failed test, so each such suite is counted as one more failure. */
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

/** A program that failed without a failure in its output is counted as one failure. */
function withCode({ code }, { passed, failed }) {
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed };
}
