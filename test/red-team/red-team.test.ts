import { foundIn, secretsOfSigner } from '../support/canary';
import { administrator } from './administrator';
import { apiProcess } from './api-process';
import { databaseRole } from './database-role';
import { type House, startHouse } from './house';
import { createLedger } from './ledger';

jest.setTimeout(240_000);

let built: House;
const house = () => built;
const ledger = createLedger(house);
beforeAll(async () => {
  built = await startHouse();
});
afterAll(() => built?.close());

describe('with the passwords of the database roles', () => databaseRole({ house, ledger }));

describe('with all that the API process has', () => apiProcess({ house, ledger }));
describe('as a full administrator under quorum policies', () => administrator({ house, ledger }));

describe('at the end', () => {
  test('no key stands in anything that was answered', async () => {
    const secrets = await secretsOfSigner(house().service.dataFolder);
    const [planted] = secrets['kek'] ?? [];
    expect(foundIn(house().answered(), secrets)).toEqual([]);
    expect(foundIn(`${house().answered()}${planted?.toString('hex')}`, secrets)).toEqual(['kek']);
  });
  test('recipients have exactly what people approved', () => ledger.assertBalanced());
});
