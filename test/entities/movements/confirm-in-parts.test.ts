import { contractEventStore } from '../../../entities/contract-events/contract-event.store';
import type { Tx } from '../../../entities/database';
import { movementStore } from '../../../entities/movements/movement.store';
import { newId } from '../../../platform/ids';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { writeContractEvents } from '../../support/written-contract-events';
import { writeMovements } from '../../support/written-movements';

const NETWORK = 'EthereumSepolia';
const ROWS = 120;
const ROWS_MAX = 50;
const HIGHEST = 2_000;

let database: TestDatabase;
let orgId: string;
let subjectId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  orgId = await database.createOrganization();
  subjectId = newId('addressWatch');
  await database.arrange(
    `INSERT INTO watched_addresses (org_id, subject_id, subject_kind, network, address)
     VALUES ($1, $2, 'AddressWatch', '${NETWORK}', '0x00')`,
    [orgId, subjectId],
  );
  const rows = Array.from({ length: ROWS }, () => ({ subjectId }));
  await writeMovements(database.db, orgId, rows);
  await writeContractEvents(
    database.db,
    orgId,
    rows.map((row, at) => ({ ...row, blockHeight: String(at) })),
  );
});
afterAll(() => database?.close());

const confirmedIn = async (
  confirm: (tx: Tx) => Promise<readonly { readonly blockHeight: string; readonly version: number }[]>,
) => {
  const parts: string[][] = [];
  for (;;) {
    const rows = await database.db.withOrg(orgId, confirm);
    expect(rows.every(({ version }) => version === 2)).toBe(true);
    if (rows.length === 0) return parts;
    parts.push(rows.map(({ blockHeight }) => blockHeight));
  }
};

// Postgres repeats a limited subquery of an UPDATE for each row if the plan is a nested loop, and would confirm all rows at once.
test.each([
  ['movements', (tx: Tx) => movementStore.confirm(tx, NETWORK, HIGHEST, ROWS_MAX)],
  ['contract events', (tx: Tx) => contractEventStore.confirm(tx, NETWORK, HIGHEST, ROWS_MAX)],
])('%s are confirmed in parts of bounded size, in the order of the chain', async (_, confirm) => {
  const parts = await confirmedIn(confirm);
  expect(parts.map(({ length }) => length)).toEqual([ROWS_MAX, ROWS_MAX, ROWS - 2 * ROWS_MAX]);
  const heights = parts.flat().map(Number);
  expect(heights).toEqual([...heights].sort((a, b) => a - b));
});
