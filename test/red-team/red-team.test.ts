import { foundIn, secretsOfSigner } from '../support/canary';
import { administrator } from './administrator';
import { apiProcess } from './api-process';
import { databaseRole } from './database-role';
import { type Installation, startInstallation } from './installation';
import { createLedger } from './ledger';
import { workerProcess } from './worker';

jest.setTimeout(240_000);

let built: Installation;
const installation = () => built;
const ledger = createLedger(installation);
beforeAll(async () => {
  built = await startInstallation();
});
afterAll(() => built?.close());

describe('with the passwords of the database roles', () => databaseRole({ installation, ledger }));

describe('with all secrets and rights of the API process', () => apiProcess({ installation, ledger }));
describe('with all secrets and rights of the worker, while a charter is in force', () => workerProcess({ installation, ledger }));
describe('as a full administrator under quorum policies', () => administrator({ installation, ledger }));

describe('at the end', () => {
  test('no response contains a key', async () => {
    const secrets = await secretsOfSigner(installation().service.dataFolder);
    const [planted] = secrets['kek'] ?? [];
    expect(foundIn(installation().answered(), secrets)).toEqual([]);
    expect(foundIn(`${installation().answered()}${planted?.toString('hex')}`, secrets)).toEqual(['kek']);
  });
  test('recipients have exactly what people approved', () => ledger.assertBalanced());
});
